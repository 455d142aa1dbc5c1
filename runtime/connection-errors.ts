import type { CustomMessage } from "./custom.js";
import { ConnectionClosedError, LifecycleError } from "./errors.js";

export function closedHere(): ConnectionClosedError {
  return new ConnectionClosedError("The connection was closed on this side");
}

/** @param failure - what the transport says that ended it, if that was not in order */
export function closedBy(failure: Error | undefined): ConnectionClosedError {
  if (failure instanceof ConnectionClosedError) return failure;
  return new ConnectionClosedError("The connection ended", failure && { cause: failure });
}

/** @param failure - what ended the connection, if that was not in order */
export function isOver(failure: Error | undefined): ConnectionClosedError {
  return failure === undefined
    ? new ConnectionClosedError("The connection is closed")
    : new ConnectionClosedError(`The connection is closed: ${failure.message}`, { cause: failure });
}

export function cannotAsk(message: string | CustomMessage): LifecycleError {
  const method = typeof message === "string" ? message : message.row.method;
  const why =
    "the transport has no way to ask the peer now, as over HTTP without a session or stream";
  return new LifecycleError(`${method} was not sent: ${why}`);
}
