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
import { loadingReceiver } from "./revision-loader.js";

/**
 * Conversations of one kind or of both.
 *
 * @param strategyOf - returns the strategy for the first revision of a kind
 * @param both - creates conversations of both kinds, if there are revisions of both kinds
 */
export function ofAnyKind(
  opening: Opening,
  strategyOf: (revision: Revision) => LifecycleStrategy,
  both: (
    stateless: Conversations,
    sessions: Conversations,
    revisions: { readonly stateless: readonly Revision[]; readonly sessions: readonly Revision[] },
  ) => Conversations,
): Conversations {
  const { revisions } = opening;
  const stateless = ofLifecycle(revisions, "discover");
  const sessions = ofLifecycle(revisions, "initialize");
  const conversations = (own: readonly Revision[]): Conversations =>
    strategyOf(own[0]!)({ ...opening, revisions: own });
  if (stateless.length === 0 || sessions.length === 0) return conversations(revisions);
  return both(conversations(stateless), conversations(sessions), { stateless, sessions });
}

/**
 * Lifecycle of a `ServerBase` for session revisions, stateless ones, or both. Session revisions
 * that are not loaded yet are loaded when a client opens one.
 */
export const serverOfAnyKind: LifecycleStrategy = (opening) => {
  const conversations = ofAnyKind(
    opening,
    ({ traits }) => (traits.lifecycle === "initialize" ? serverHandshake : serverStateless),
    ({ stateless }, sessions) => ({
      begin: (start) => new DualServer(stateless!, sessions.begin(start)),
      stateless,
    }),
  );
  const { revisions } = opening;
  if (!revisions.some(({ load }) => load)) return conversations;
  return { ...conversations, receiver: (inner) => loadingReceiver(inner, revisions) };
};

/**
 * Lifecycle of a `ClientBase` for session revisions, stateless ones, or both.
 * @param found - called when the kind of a server is known
 */
export const clientOfKindFound =
  (found: (evidence: Evidence) => void): LifecycleStrategy =>
  (opening) =>
    ofAnyKind(
      opening,
      ({ traits }) => (traits.lifecycle === "initialize" ? clientHandshake : clientStateless),
      (stateless, sessions, revisions) => ({
        begin: (start) => new DualClient(stateless, sessions, revisions, start, found),
      }),
    );

/** Lifecycle of a `ClientBase` for session revisions, stateless ones, or both. */
export const clientOfAnyKind: LifecycleStrategy = /* @__PURE__ */ clientOfKindFound(() => {});
