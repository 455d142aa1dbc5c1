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

/** Header fields of every answer to a page from an allowed origin. */
export function corsFields(origin: string): HeaderFields {
  return {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": RESPONSE_FIELDS,
    Vary: "Origin",
  };
}

/** Fields that repeat arguments; which there are, only the tools know. */
const PARAM_FIELD = /^mcp-param-[!#$%&'*+\-.^_`|~0-9a-z]+$/i;

/** Most of those that one answer allows. */
const MOST_PARAM_FIELDS = 100;

/** Answers OPTIONS, by which a browser asks what a page may do. Methods and fields are lists. */
export function answerPreflight(exchange: Exchange, methods: string, fields: string): void {
  const isPreflight =
    exchange.extraHeaders !== undefined &&
    exchange.header("access-control-request-method") !== undefined;
  const allowed = [fields, ...paramFieldsIn(exchange.header("access-control-request-headers"))];
  exchange.respond(
    204,
    isPreflight
      ? {
          "Access-Control-Allow-Methods": methods,
          "Access-Control-Allow-Headers": allowed.join(", "),
          "Access-Control-Max-Age": MAX_AGE,
        }
      : { Allow: methods },
  );
}

function paramFieldsIn(requested = ""): string[] {
  const names = requested.split(",", 4 * MOST_PARAM_FIELDS).map((name) => name.trim());
  return names.filter((name) => PARAM_FIELD.test(name)).slice(0, MOST_PARAM_FIELDS);
}
