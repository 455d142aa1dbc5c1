import type { Role } from "./protocol.js";

/** Messages that the protocol engine itself uses, by their declared types. */
const ROLES: ReadonlyMap<string, Role> = new Map([
  ["InitializeRequest", "initialize"],
  ["InitializedNotification", "initialized"],
  ["PingRequest", "ping"],
  ["CancelledNotification", "cancelled"],
  ["ProgressNotification", "progress"],
  ["DiscoverRequest", "discover"],
  ["SubscriptionsListenRequest", "listen"],
  ["SubscriptionsAcknowledgedNotification", "acknowledged"],
]);

export function roleOf(type: string): Role | undefined {
  return ROLES.get(type);
}
