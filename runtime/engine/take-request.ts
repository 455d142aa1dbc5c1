import type { Batch } from "./batch.js";
import { type Origin, withoutDropped } from "../wire/index.js";
import { Handling } from "./handling.js";
import type { Asked, IncomingHost } from "./incoming-host.js";
import { methodNotFound, notInBatch, refusal } from "./refusal.js";
import { withoutAnswers } from "./without-answers.js";

/**
 * Looks up what handles a request, and makes sure that it can be handed to that.
 * @throws RpcError for what cannot
 */
export function takeRequest(
  host: IncomingHost,
  { id, method, params }: Asked,
  origin: Origin | undefined,
  batch: Batch | undefined,
): Handling {
  const binding = host.bindingFor("request", method, params);
  if (batch && binding.revision?.traits.batching === false) throw notInBatch(binding.revision);
  const inbound = binding.requests.get(method);
  if (inbound === undefined) throw methodNotFound(binding, host.side, method);
  const refused = refusal(inbound, params);
  if (refused) throw refused;
  const { row, undeclared } = inbound;
  const offered = undeclared ? withoutDropped(undeclared, params) : params;
  const projection = binding.revision?.projection;
  const taken = projection ? projection.up(row, "params", offered) : offered;
  return new Handling(host, binding, inbound, id, taken, origin, batch);
}

export function callHandler(handling: Handling): unknown {
  const { binding, inbound, params } = handling;
  return binding.alone
    ? binding.alone.call(handling)
    : inbound.handler(withoutAnswers(params, handling), handling);
}
