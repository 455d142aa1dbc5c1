import type { Revision } from "../revision.js";
import { DualClient } from "./dual-client.js";
import { DualServer } from "./dual-server.js";
import type { LifecycleFactory, LifecycleStrategy, Opening } from "./lifecycle.js";

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

export function chooseLifecycle(opening: Opening): LifecycleFactory {
  const { side, revisions } = opening;
  const alone = ofLifecycle(revisions, "discover");
  const shaken = ofLifecycle(revisions, "initialize");
  const factoryOf = (own: readonly Revision[]): LifecycleFactory =>
    strategyOf(own[0]!)[side]({ ...opening, revisions: own });
  if (alone.length === 0 || shaken.length === 0) return factoryOf(revisions);
  const [stateless, handshake] = [factoryOf(alone), factoryOf(shaken)];
  return (start) => {
    const both = { stateless: stateless(start), handshake: handshake(start) };
    return side === "client" ? new DualClient(both, shaken) : new DualServer(both);
  };
}

function strategyOf({ lifecycle }: Revision): LifecycleStrategy {
  return lifecycle as LifecycleStrategy;
}
