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
 * @param strategyOf - gives the strategy for the first revision of a kind
 * @param both - makes conversations of both, where there are revisions of both kinds
 */
export function ofAnyKind(
  opening: Opening,
  strategyOf: (revision: Revision) => LifecycleStrategy,
  both: (
    stateless: Conversations,
    sessions: Conversations,
    sessionRevisions: readonly Revision[],
  ) => Conversations,
): Conversations {
  const { revisions } = opening;
  const stateless = ofLifecycle(revisions, "discover");
  const ofSessions = ofLifecycle(revisions, "initialize");
  const conversations = (own: readonly Revision[]): Conversations =>
    strategyOf(own[0]!)({ ...opening, revisions: own });
  if (stateless.length === 0 || ofSessions.length === 0) return conversations(revisions);
  return both(conversations(stateless), conversations(ofSessions), ofSessions);
}
