import type { Revision, Side, Traits } from "../revision.js";
import { ClientHandshake } from "./client-handshake.js";
import { beforeInitialize, whileInitializing } from "./early-binding.js";
import type { Lifecycle, Opening, Start } from "./lifecycle.js";
import { ServerHandshake } from "./server-handshake.js";
import { Stateless } from "./stateless.js";

/** Makes the lifecycle of one more connection. */
export type LifecycleFactory = (start: Start) => Lifecycle;

type Strategy = (opening: Opening) => LifecycleFactory;

const serverHandshake: Strategy = (opening) => {
  const early = beforeInitialize(opening.revisions);
  return (start) => new ServerHandshake(opening, early, start);
};

const clientHandshake: Strategy = (opening) => {
  const { revisions } = opening;
  const early = whileInitializing(revisions, opening.bind(revisions[0]!));
  return (start) => new ClientHandshake(opening, early, start);
};

const stateless: Strategy = (opening) => () => new Stateless(opening);

const STRATEGIES: Record<Traits["lifecycle"], Record<Side, Strategy>> = {
  initialize: { client: clientHandshake, server: serverHandshake },
  discover: { client: stateless, server: stateless },
};

/** Where revisions of several kinds are given, those with a handshake are offered. */
export function offered(revisions: readonly Revision[]): readonly Revision[] {
  const shaken = revisions.filter(({ traits }) => traits.lifecycle === "initialize");
  return shaken.length > 0 ? shaken : revisions;
}

export function chooseLifecycle(opening: Opening): LifecycleFactory {
  const revisions = offered(opening.revisions);
  const strategy = STRATEGIES[revisions[0]!.traits.lifecycle][opening.side];
  return strategy({ ...opening, revisions });
}
