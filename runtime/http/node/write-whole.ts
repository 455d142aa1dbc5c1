import type { ServerResponse } from "node:http";
import type { HeaderFields } from "../server/exchange.js";

/**
 * Answers with a body that is there as a whole. Head and body leave as one string: `end(body)` makes several pieces of
 * them, which cost more to write than they weigh.
 */
export function writeWhole(
  response: ServerResponse,
  status: number,
  fields: HeaderFields,
  body: string,
): void {
  const length = Buffer.byteLength(body);
  response.writeHead(status, { "Content-Length": length, ...fields });
  if (length > 0) {
    response.cork();
    // As many bytes as characters: all of them are ASCII.
    response.write(body, length === body.length ? "latin1" : "utf8");
    response.uncork();
  }
  response.end();
}
