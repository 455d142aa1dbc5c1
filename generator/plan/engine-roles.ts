import type { Method, Role } from "../link/protocol.js";

/**
 * Messages that only the engine sends: the handshake; cancellation, which an `AbortSignal` triggers; and those that
 * maintain a subscription, for which the runtime has its own method.
 */
const SENT_BY_ENGINE: ReadonlySet<Role> = new Set([
  "initialize",
  "initialized",
  "cancelled",
  "listen",
  "acknowledged",
]);

/** True if the class of the sending side has a method for this message. */
export function hasStub({ role, channel }: Method): boolean {
  return channel === "wire" && !(role && SENT_BY_ENGINE.has(role));
}

/** True if the receiving side may handle this message: the engine itself handles messages with a role. */
export function hasHandler({ role }: Method): boolean {
  return role === undefined;
}
