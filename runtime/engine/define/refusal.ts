import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  type Revision,
  RpcError,
  type Side,
  quote,
} from "../../wire/index.js";

export function invalidParams(problem: string): RpcError {
  return new RpcError(INVALID_PARAMS, `Invalid params: ${problem}`);
}

/** The answer to a request whose id is that of another one under way. */
export function inFlight(): RpcError {
  return new RpcError(INVALID_REQUEST, "Invalid request: a request with this id is in flight");
}

/** The answer to a request in a batch that says that it is of a revision without batches. */
export function notInBatch({ id }: Revision): RpcError {
  return new RpcError(INVALID_REQUEST, `Invalid request: there are no batches in ${id}`);
}

/** @param limit - requests that may be under way */
export function busy(limit: number): RpcError {
  return new RpcError(INTERNAL_ERROR, `Busy: ${limit} requests are in flight, try again later`);
}

/** The answer to a request of a sender who sends too many. */
export function tooMany(perSecond: number): RpcError {
  const message = `Busy: more than ${perSecond} requests of this method per second, try again later (rateLimits)`;
  return new RpcError(INTERNAL_ERROR, message);
}

/** The answer to a request whose handler failed: all else is for `onerror`. */
export function internalError(): RpcError {
  return new RpcError(INTERNAL_ERROR, "Internal error");
}

/** The answer to a request that nothing handles: says whether it does not exist or is not offered. */
export function methodNotFound(
  revision: Revision | undefined,
  side: Side,
  method: string,
): RpcError {
  const row = revision?.methods.get(method);
  const name = quote(method);
  const why =
    row === undefined || row.kind !== "request"
      ? `${name} is not a request${revision ? ` of ${revision.id}` : ""}`
      : row.from === side || row.channel !== "wire"
        ? `${name} is not for a ${side} to answer`
        : `this ${side} does not offer ${name}`;
  return new RpcError(METHOD_NOT_FOUND, `Method not found: ${why}`);
}
