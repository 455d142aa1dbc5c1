import {
  type Conversations,
  type LifecycleStrategy,
  type Opening,
  ofLifecycle,
} from "../engine/index.js";
import type { Revision } from "../wire/index.js";

/**
 * Conversations of one kind or of both.
 *
 * @param strategies - one for each kind
 * @param both - creates conversations of both kinds, if there are revisions of both kinds
 */
export function ofAnyKind(
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
