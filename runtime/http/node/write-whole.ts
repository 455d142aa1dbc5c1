import type { ServerResponse } from "node:http";
import { Backlog, PIECE } from "./backlog.js";
import type { HeaderFields } from "../server/exchange.js";

/**
 * Answers with a body that is there as a whole. Head and body leave as one string: `end(body)` makes several pieces of
 * them, which cost more to write than they weigh.
 *
 * @returns the part of a long body that the connection has not got
 */
export function writeWhole(
  response: ServerResponse,
  status: number,
  fields: HeaderFields,
  body: string,
): Backlog | undefined {
  const length = Buffer.byteLength(body);
  response.writeHead(status, { "Content-Length": length, ...fields });
  if (length > PIECE) {
    const backlog = new Backlog(response);
    backlog.write(body);
    backlog.end();
    return backlog;
  }
  if (length > 0) {
    response.cork();
    // As many bytes as characters: all of them are ASCII.
    response.write(body, length === body.length ? "latin1" : "utf8");
    response.uncork();
  }
  response.end();
  return undefined;
}
