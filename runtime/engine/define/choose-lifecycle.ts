import type { Revision } from "../../wire/index.js";

/** Revisions of one kind of conversation, in the order in which they were given. */
export function ofLifecycle(
  revisions: readonly Revision[],
  lifecycle: Revision["traits"]["lifecycle"],
): readonly Revision[] {
  return revisions.filter(({ traits }) => traits.lifecycle === lifecycle);
}

/** Revisions that a client asks for first: the stateless ones, where revisions of both kinds are given. */
export function offered(revisions: readonly Revision[]): readonly Revision[] {
  const stateless = ofLifecycle(revisions, "discover");
  return stateless.length > 0 ? stateless : revisions;
}
