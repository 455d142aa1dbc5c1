import type { Method, Role } from "../link/protocol.js";

/**
 * Messages that only the engine sends: the handshake, cancellation, which an `AbortSignal` asks for, and what keeps a
 * subscription, which has a method of its own in the runtime.
 */
const SENT_BY_ENGINE: ReadonlySet<Role> = new Set([
  "initialize",
  "initialized",
  "cancelled",
  "listen",
  "acknowledged",
]);

/** True when the class of the sending side gets a method for this message. */
export function hasStub({ role, channel }: Method): boolean {
  return channel === "wire" && !(role && SENT_BY_ENGINE.has(role));
}

/** True when the receiving side may handle this message: what has a role, the engine answers or acts on itself. */
export function hasHandler({ role }: Method): boolean {
  return role === undefined;
}
