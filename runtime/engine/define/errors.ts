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

export function inFlight(): RpcError {
  return new RpcError(INVALID_REQUEST, "Invalid request: a request with this id is in flight");
}

export function notInBatch({ id }: Revision): RpcError {
  return new RpcError(INVALID_REQUEST, `Invalid request: there are no batches in ${id}`);
}

export function busy(limit: number): RpcError {
  return new RpcError(INTERNAL_ERROR, `Busy: ${limit} requests are in flight, try again later`);
}

export function tooMany(perSecond: number): RpcError {
  const message = `Busy: more than ${perSecond} requests of this method per second, try again later (rateLimits)`;
  return new RpcError(INTERNAL_ERROR, message);
}

export function internalError(): RpcError {
  return new RpcError(INTERNAL_ERROR, "Internal error");
}

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

export function closedBy(failure: Error | undefined): ConnectionClosedError {
  if (failure instanceof ConnectionClosedError) return failure;
  return new ConnectionClosedError("The connection ended", failure && { cause: failure });
}

export function isOver(failure: Error | undefined): ConnectionClosedError {
  return failure === undefined
    ? new ConnectionClosedError("The connection is closed")
    : new ConnectionClosedError(`The connection is closed: ${failure.message}`, { cause: failure });
}

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

export function strayResponse(id: unknown, error: unknown): InvalidMessageError {
  const { code, message } = isObject(error) ? error : {};
  return new InvalidMessageError(
    id === undefined || id === null
      ? `The peer could not read a message: ${quote(String(message))} (${String(code)})`
      : `An answer has the id ${quote(String(id))}, which belongs to no request`,
  );
}

export function strayProgress(token: RequestId): InvalidMessageError {
  return new InvalidMessageError(
    `Progress for ${quote(String(token))}, which is not a known token`,
  );
}

/**
 * Creates the error for a request sent inside `once()`. Its work function must not send requests, because it cannot
 * wait for answers that arrive in another round.
 */
export function requestedInOnce(message: string | CustomMessage): TypeError {
  return new TypeError(`${nameOf(message)} was not sent: send it before once()`);
}

function nameOf(message: string | CustomMessage): string {
  return typeof message === "string" ? message : message.row.method;
}
