import type { Exchange, HeaderFields } from "./exchange.js";

/** Fields that a page's script may always send. */
export const REQUEST_FIELDS: readonly string[] = [
  "Accept",
  "Authorization",
  "Content-Type",
  "Last-Event-ID",
  "Mcp-Method",
  "Mcp-Name",
  "Mcp-Session-Id",
  "MCP-Protocol-Version",
];

/** Fields of an answer that a page's script may read. */
const RESPONSE_FIELDS = "Mcp-Session-Id, MCP-Protocol-Version, Retry-After, WWW-Authenticate";

/** Seconds for which a browser may remember that it was allowed to ask. */
const MAX_AGE = "600";

/** What goes with every answer to a page whose origin is allowed. */
export function corsFields(origin: string): HeaderFields {
  return {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": RESPONSE_FIELDS,
    Vary: "Origin",
  };
}

/** Answers OPTIONS, by which a browser asks what a page may do. Methods and fields are lists. */
export function answerPreflight(exchange: Exchange, methods: string, fields: string): void {
  const isPreflight =
    exchange.extraHeaders !== undefined &&
    exchange.header("access-control-request-method") !== undefined;
  exchange.respond(
    204,
    isPreflight
      ? {
          "Access-Control-Allow-Methods": methods,
          "Access-Control-Allow-Headers": fields,
          "Access-Control-Max-Age": MAX_AGE,
        }
      : { Allow: methods },
  );
}
