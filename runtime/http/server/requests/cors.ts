import type { PublicDocument } from "./authentication.js";
import type { Exchange } from "./exchange.js";
import { type HeaderFields, problem } from "./problem.js";

const WRONG_METHOD = /* @__PURE__ */ problem(405, "Only GET and HEAD are served here", {
  Allow: "GET, HEAD, OPTIONS",
});

/** The request fields that a page's script may send, regardless of the options. */
const REQUEST_FIELDS = [
  "Accept",
  "Authorization",
  "Content-Type",
  "Last-Event-ID",
  "Mcp-Method",
  "Mcp-Name",
  "Mcp-Session-Id",
  "MCP-Protocol-Version",
];

/** The number of seconds for which a browser may cache the answer to a preflight request. */
const MAX_AGE = "600";

/** Matches header fields that mirror a tool's arguments. Their names depend on the tools, so any name is allowed. */
const PARAM_FIELD = /^mcp-param-[!#$%&'*+\-.^_`|~0-9a-z]+$/i;

const MAX_PARAM_FIELDS = 100;

/** The header fields of public documents, which pages of any origin may read. */
const PUBLIC_FIELDS: HeaderFields = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
  "Access-Control-Allow-Headers": "*",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

const DOCUMENT_FIELDS: HeaderFields = {
  "Content-Type": "application/json",
  "Cache-Control": "public, max-age=3600",
};

/**
 * Answers OPTIONS, which browsers send to find out what a page may do. Returns false, because the request has been
 * answered.
 *
 * @param more - the additional request fields that a page's script may send, from the options
 */
export function answerPreflight(
  exchange: Exchange,
  methods: string,
  more: readonly string[],
): false {
  const { "access-control-request-method": method, "access-control-request-headers": requested } =
    exchange.head.fields;
  const isPreflight = exchange.extraHeaders !== undefined && method !== undefined;
  const allowed = [...REQUEST_FIELDS, ...more, ...paramFieldsIn(requested)];
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
  return false;
}

function paramFieldsIn(requested = ""): string[] {
  const names = requested.split(",", 4 * MAX_PARAM_FIELDS).map((name) => name.trim());
  return names.filter((name) => PARAM_FIELD.test(name)).slice(0, MAX_PARAM_FIELDS);
}

export function sendDocument(exchange: Exchange, document: PublicDocument): false | Promise<false> {
  const { method } = exchange.head;
  exchange.extraHeaders = PUBLIC_FIELDS;
  if (method === "OPTIONS") {
    exchange.respond(204);
  } else if (method !== "GET" && method !== "HEAD") {
    exchange.refuse(WRONG_METHOD);
  } else if (typeof document !== "string") {
    return document().then((text) => sendDocument(exchange, text));
  } else if (method === "GET") {
    exchange.respond(200, DOCUMENT_FIELDS, document);
  } else {
    const length = new TextEncoder().encode(document).byteLength;
    exchange.respond(200, { ...DOCUMENT_FIELDS, "Content-Length": `${length}` });
  }
  return false;
}
