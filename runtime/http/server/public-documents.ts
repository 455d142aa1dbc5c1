import type { PublicDocument } from "./authentication.js";
import type { Exchange, HeaderFields } from "./exchange.js";
import { problem, refuse } from "./problem.js";

/** Public documents are for pages of every origin. */
const FIELDS: HeaderFields = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
  "Access-Control-Allow-Headers": "*",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

const DOCUMENT_FIELDS: HeaderFields = {
  "Content-Type": "application/json",
  "Cache-Control": "public, max-age=3600",
};

const WRONG_METHOD = problem(405, "Only GET and HEAD are served here", {
  Allow: "GET, HEAD, OPTIONS",
});

/**
 * Answers a request for a public document, whoever sends it.
 *
 * @param documents - by path
 * @returns false when the path names none of them
 */
export function answerDocument(
  exchange: Exchange,
  documents: Readonly<Record<string, PublicDocument>> | undefined,
): boolean | Promise<boolean> {
  const { method, path } = exchange;
  if (documents === undefined || !Object.hasOwn(documents, path)) return false;
  exchange.extraHeaders = FIELDS;
  if (method === "OPTIONS") exchange.respond(204);
  else if (method !== "GET" && method !== "HEAD") refuse(exchange, WRONG_METHOD);
  else return send(exchange, documents[path]!);
  return true;
}

function send(exchange: Exchange, document: PublicDocument): true | Promise<true> {
  if (typeof document !== "string") return document().then((text) => send(exchange, text));
  if (exchange.method === "GET") {
    exchange.respond(200, DOCUMENT_FIELDS, document);
  } else {
    const length = new TextEncoder().encode(document).byteLength;
    exchange.respond(200, { ...DOCUMENT_FIELDS, "Content-Length": `${length}` });
  }
  return true;
}
