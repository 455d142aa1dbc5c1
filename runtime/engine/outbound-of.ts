import type { CustomMessage } from "../api/index.js";
import type { Method } from "../wire/index.js";
import type { Outbound } from "./lifecycle.js";

/** A message to be sent, by its name or as its own description. */
export function outboundOf(
  kind: Method["kind"],
  message: string | CustomMessage,
  params: unknown,
): Outbound {
  return typeof message === "string"
    ? { kind, method: message, params }
    : { kind, method: message.row.method, params, custom: message.row };
}
