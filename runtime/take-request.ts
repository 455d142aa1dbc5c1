import type { Batch } from "./batch.js";
import type { Binding, Inbound } from "./binding.js";
import { declaredBy, dropUndeclared, otherSide } from "./capabilities.js";
import { Handling } from "./handling.js";
import type { Asked, IncomingHost } from "./incoming-host.js";
import type { Origin } from "./origin.js";
import { methodNotFound, notInBatch, refusal } from "./refusal.js";
import type { Method, Side } from "./revision.js";
import { withoutAnswers } from "./rounds/without-answers.js";

/**
 * Looks up what handles a request, and makes sure that it can be handed to that.
 * @throws RpcError for what cannot
 */
export function takeRequest(
  host: IncomingHost,
  { id, method, params }: Asked,
  origin: Origin | undefined,
  batch: Batch | undefined,
): [Handling, Inbound] {
  const { side } = host;
  const binding = host.bindingFor({ kind: "request", method, params });
  if (batch && binding.revision?.traits.batching === false) throw notInBatch(binding.revision);
  const inbound = binding.requests.get(method);
  if (inbound === undefined) throw methodNotFound(binding, side, method);
  const refused = refusal(binding, side, inbound, params);
  if (refused) throw refused;
  const { row } = inbound;
  const offered = row.conditions ? withoutUndeclared(binding, side, row, params) : params;
  const { projection } = binding.revision ?? {};
  const taken = projection ? projection.up(row, "params", offered) : offered;
  return [new Handling(host, binding, row, id, taken, origin, batch), inbound];
}

export function callHandler(inbound: Inbound, handling: Handling): unknown {
  const { binding, params } = handling;
  return binding.alone
    ? binding.alone.call(inbound, params, handling)
    : inbound.handler(withoutAnswers(params, handling), handling);
}

function withoutUndeclared(
  { capabilities }: Binding,
  side: Side,
  row: Method,
  params: unknown,
): unknown {
  return dropUndeclared(row, params, otherSide(side), declaredBy(side, capabilities));
}
