import type { Side, Traits } from "../revision.js";
import { ClientHandshake } from "./client-handshake.js";
import type { Lifecycle, Opening } from "./lifecycle.js";
import { ServerHandshake } from "./server-handshake.js";
import { Stateless } from "./stateless.js";

type Strategy = new (opening: Opening) => Lifecycle;

const STRATEGIES: Record<Traits["lifecycle"], Record<Side, Strategy>> = {
  initialize: { client: ClientHandshake, server: ServerHandshake },
  discover: { client: Stateless, server: Stateless },
};

/** Where revisions of several kinds are given, those with a handshake are offered. */
export function chooseLifecycle(opening: Opening): Lifecycle {
  const offered = opening.revisions.filter(({ traits }) => traits.lifecycle === "initialize");
  const revisions = offered.length > 0 ? offered : opening.revisions;
  const Chosen = STRATEGIES[revisions[0]!.traits.lifecycle][opening.side];
  return new Chosen({ ...opening, revisions });
}
