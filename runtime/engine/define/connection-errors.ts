import { quiet } from "../../ground/index.js";
import type { CustomMessage } from "../../api/index.js";
import { ConnectionClosedError, LifecycleError } from "../../wire/index.js";

export function closedHere(): ConnectionClosedError {
  return new ConnectionClosedError("The connection was closed on this side");
}

export function endedEarly(): ConnectionClosedError {
  return new ConnectionClosedError("The connection ended while it was being opened");
}

/** @param failure - error of the transport that ended it, if that was not in order */
export function closedBy(failure: Error | undefined): ConnectionClosedError {
  if (failure instanceof ConnectionClosedError) return failure;
  return new ConnectionClosedError("The connection ended", failure && { cause: failure });
}

/** @param failure - error that ended the connection, if that was not in order */
export function isOver(failure: Error | undefined): ConnectionClosedError {
  return failure === undefined
    ? new ConnectionClosedError("The connection is closed")
    : new ConnectionClosedError(`The connection is closed: ${failure.message}`, { cause: failure });
}

/** Rejects before a client or server is connected. */
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

export function cannotAsk(message: string | CustomMessage): LifecycleError {
  const why =
    "the transport has no way to ask the peer now, as over HTTP without a session or stream";
  return notSent(message, why);
}

/** Error of a handler that asks the client in `once()`: that work cannot wait for answers of another round. */
export function askedInOnce(message: string | CustomMessage): TypeError {
  return new TypeError(`${nameOf(message)} was not asked: ask before once()`);
}

function nameOf(message: string | CustomMessage): string {
  return typeof message === "string" ? message : message.row.method;
}
