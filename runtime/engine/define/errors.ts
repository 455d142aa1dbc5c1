import type { CustomMessage } from "../../api/index.js";
import { quiet } from "../../ground/index.js";
import {
  ConnectionClosedError,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  InvalidMessageError,
  LifecycleError,
  METHOD_NOT_FOUND,
  type RequestId,
  type Revision,
  RpcError,
  type Side,
  isObject,
  quote,
} from "../../wire/index.js";

export function invalidParams(problem: string): RpcError {
  return new RpcError(INVALID_PARAMS, `Invalid params: ${problem}`);
}

/** Creates the error for a request whose id is already in use by a request in progress. */
export function inFlight(): RpcError {
  return new RpcError(INVALID_REQUEST, "Invalid request: a request with this id is in flight");
}

/** Creates the error for a request that arrives in a batch although its revision does not support batches. */
export function notInBatch({ id }: Revision): RpcError {
  return new RpcError(INVALID_REQUEST, `Invalid request: there are no batches in ${id}`);
}

/**
 * Creates the error for a request that arrives while too many others are being handled.
 * @param limit - maximum number of requests in progress
 */
export function busy(limit: number): RpcError {
  return new RpcError(INTERNAL_ERROR, `Busy: ${limit} requests are in flight, try again later`);
}

/** Creates the error for a request that exceeds its sender's rate limit. */
export function tooMany(perSecond: number): RpcError {
  const message = `Busy: more than ${perSecond} requests of this method per second, try again later (rateLimits)`;
  return new RpcError(INTERNAL_ERROR, message);
}

/** Creates the error for a request whose handler failed; `onerror` receives the details. */
export function internalError(): RpcError {
  return new RpcError(INTERNAL_ERROR, "Internal error");
}

/** Creates the error for a request without a handler. It states whether the method does not exist or is not offered. */
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
        ? `a ${side} does not handle ${name}`
        : `this ${side} does not offer ${name}`;
  return new RpcError(METHOD_NOT_FOUND, `Method not found: ${why}`);
}

export function closedHere(): ConnectionClosedError {
  return new ConnectionClosedError("The connection was closed on this side");
}

export function endedEarly(): ConnectionClosedError {
  return new ConnectionClosedError("The connection ended while it was being opened");
}

/**
 * Creates the error for requests that were pending when the connection ended.
 * @param failure - error of the transport that ended it; undefined if it was closed normally
 */
export function closedBy(failure: Error | undefined): ConnectionClosedError {
  if (failure instanceof ConnectionClosedError) return failure;
  return new ConnectionClosedError("The connection ended", failure && { cause: failure });
}

/**
 * Creates the error for a message that cannot be sent, because the connection has ended.
 * @param failure - error that ended the connection; undefined if it was closed normally
 */
export function isOver(failure: Error | undefined): ConnectionClosedError {
  return failure === undefined
    ? new ConnectionClosedError("The connection is closed")
    : new ConnectionClosedError(`The connection is closed: ${failure.message}`, { cause: failure });
}

/** Returns a promise that rejects because the client or server is not connected. */
export function notConnected(): Promise<never> {
  const error = new ConnectionClosedError("Not connected: call connect() first");
  return quiet(Promise.reject<never>(error));
}

export function notSent(message: string | CustomMessage, why: string): LifecycleError {
  return new LifecycleError(`${nameOf(message)} was not sent: ${why}`);
}

export function tooEarly(method: string): LifecycleError {
  return notSent(method, "wait until connect() has finished");
}

export function peerUnreachable(message: string | CustomMessage): LifecycleError {
  const why = "the transport cannot reach the peer now, as over HTTP without a session or stream";
  return notSent(message, why);
}

/** Creates the error for a response that belongs to no request sent by this side. */
export function strayResponse(id: unknown, error: unknown): InvalidMessageError {
  const { code, message } = isObject(error) ? error : {};
  return new InvalidMessageError(
    id === undefined || id === null
      ? `The peer could not read a message: ${quote(String(message))} (${String(code)})`
      : `An answer has the id ${quote(String(id))}, which belongs to no request`,
  );
}

/** Creates the error for progress that belongs to no request sent by this side. */
export function strayProgress(token: RequestId): InvalidMessageError {
  return new InvalidMessageError(
    `Progress for ${quote(String(token))}, which is not a known token`,
  );
}

/**
 * Creates the error for a handler that sends a request to the client inside `once()`: the work of `once()` cannot
 * wait for answers that arrive in another round.
 */
export function requestedInOnce(message: string | CustomMessage): TypeError {
  return new TypeError(`${nameOf(message)} was not sent: send it before once()`);
}

function nameOf(message: string | CustomMessage): string {
  return typeof message === "string" ? message : message.row.method;
}
