import type { IncomingMessage, ServerResponse } from "node:http";
import type { HeaderFields } from "../server/exchange.js";

/** Bytes, and milliseconds, after which a client that continues to send is cut off. */
const MAX_DISCARDED = 16 * 1024 * 1024;
const MAX_TIME = 2000;

/**
 * Answers a request before all of its body has come, then ends the connection. Whoever closes a connection that
 * something is still arriving on takes the answer away from the client, so the rest is read, and forgotten, for a
 * while.
 */
export function discardRest(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  fields: HeaderFields,
  body = "",
): void {
  const length = Buffer.byteLength(body);
  response.writeHead(status, { "Content-Length": length, ...fields, Connection: "close" });
  if (body) response.write(body);
  else response.flushHeaders();
  let discarded = 0;
  const finish = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(finish, MAX_TIME);
  request.on("data", (chunk: Uint8Array) => {
    discarded += chunk.length;
    if (discarded > MAX_DISCARDED) finish();
  });
  request.on("end", finish);
  request.on("close", finish);
  request.resume();
}
