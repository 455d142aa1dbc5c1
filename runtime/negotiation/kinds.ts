import {
  type Conversations,
  type LifecycleStrategy,
  type Opening,
  ofLifecycle,
} from "../engine/index.js";
import { clientHandshake, serverHandshake } from "../session/index.js";
import { clientStateless, serverStateless } from "../stateless/index.js";
import type { Revision } from "../wire/index.js";
import { DualClient, type Evidence } from "./dual-client.js";
import { DualServer } from "./dual-server.js";

/**
 * Conversations of one kind or of both.
 *
 * @param strategies - one for each kind
 * @param both - creates conversations of both kinds, if there are revisions of both kinds
 */
function ofAnyKind(
  opening: Opening,
  strategies: { readonly stateless: LifecycleStrategy; readonly sessions: LifecycleStrategy },
  both: (
    stateless: Conversations,
    sessions: Conversations,
    revisions: { readonly stateless: readonly Revision[]; readonly sessions: readonly Revision[] },
  ) => Conversations,
): Conversations {
  const { revisions } = opening;
  const stateless = ofLifecycle(revisions, "discover");
  const sessions = ofLifecycle(revisions, "initialize");
  if (sessions.length === 0) return strategies.stateless(opening);
  if (stateless.length === 0) return strategies.sessions(opening);
  return both(
    strategies.stateless({ ...opening, revisions: stateless }),
    strategies.sessions({ ...opening, revisions: sessions }),
    { stateless, sessions },
  );
}

/** Lifecycle of a `ServerBase` for session revisions, stateless ones, or both. */
export const serverOfAnyKind: LifecycleStrategy = (opening) =>
  ofAnyKind(
    opening,
    { stateless: serverStateless, sessions: serverHandshake },
    (stateless, sessions) => ({
      begin: (start) => new DualServer(stateless, sessions.begin(start)),
      get stateless() {
        return stateless.stateless;
      },
      load: () => stateless.load!(),
    }),
  );

/**
 * Lifecycle of a `ClientBase` for session revisions, stateless ones, or both.
 * @param found - called when the kind of a server is known
 */
export const clientOfKindFound =
  (found: (evidence: Evidence) => void): LifecycleStrategy =>
  (opening) =>
    ofAnyKind(
      opening,
      { stateless: clientStateless, sessions: clientHandshake },
      (stateless, sessions, revisions) => ({
        begin: (start) => new DualClient(stateless, sessions, revisions, start, found),
      }),
    );

/** Lifecycle of a `ClientBase` for session revisions, stateless ones, or both. */
export const clientOfAnyKind: LifecycleStrategy = /* @__PURE__ */ clientOfKindFound(() => {});
