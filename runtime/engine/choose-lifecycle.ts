import type { Revision } from "../wire/index.js";
import type { Lifecycle, LifecycleFactory, LifecycleStrategy, Opening } from "./lifecycle.js";

/** The two ways in which a conversation can go. */
export interface Lifecycles {
  readonly stateless: Lifecycle;
  readonly handshake: Lifecycle;
}

/** The revisions of one kind of lifecycle, in the order in which they were given. */
export function ofLifecycle(
  revisions: readonly Revision[],
  lifecycle: Revision["traits"]["lifecycle"],
): readonly Revision[] {
  return revisions.filter(({ traits }) => traits.lifecycle === lifecycle);
}

/** Where revisions of both kinds are given, a client tries those without a handshake first. */
export function offered(revisions: readonly Revision[]): readonly Revision[] {
  const alone = ofLifecycle(revisions, "discover");
  return alone.length > 0 ? alone : revisions;
}

/**
 * Servers of revisions of one kind, which bring what they need themselves.
 * @throws TypeError for revisions of both kinds
 */
export const serverOfOneKind: LifecycleStrategy = (opening) => {
  const { revisions } = opening;
  const { lifecycle } = revisions[0]!;
  if (revisions.some((other) => other.lifecycle !== lifecycle))
    throw new TypeError("These revisions open conversations in two ways: use McpServer for both");
  return (lifecycle as LifecycleStrategy)(opening);
};

/**
 * Makes lifecycles of one kind or of both.
 * @param strategyOf - that of the first revision of a kind
 * @param both - makes a lifecycle of the two, where there are revisions of both kinds
 */
export function lifecycleOf(
  opening: Opening,
  strategyOf: (revision: Revision) => object,
  both: (lifecycles: Lifecycles, shaken: readonly Revision[]) => Lifecycle,
): LifecycleFactory {
  const { revisions } = opening;
  const alone = ofLifecycle(revisions, "discover");
  const shaken = ofLifecycle(revisions, "initialize");
  const factoryOf = (own: readonly Revision[]): LifecycleFactory =>
    (strategyOf(own[0]!) as LifecycleStrategy)({ ...opening, revisions: own });
  if (alone.length === 0 || shaken.length === 0) return factoryOf(revisions);
  const [stateless, handshake] = [factoryOf(alone), factoryOf(shaken)];
  return (start) => both({ stateless: stateless(start), handshake: handshake(start) }, shaken);
}
