import { randomUUID } from "node:crypto";
import { readBody } from "./read-body.mjs";

/**
 * A handler with a transport, and a server behind it, for each session: as the documentation of the SDKs has it.
 *
 * @param newTransport makes a connected transport with the options it is given
 * @param isOpening tells whether a message opens a session
 */
export function bySession(newTransport, isOpening) {
  const sessions = new Map();
  return async (request, response) => {
    const body = await readBody(request);
    const transport =
      sessions.get(request.headers["mcp-session-id"]) ??
      (isOpening(body) &&
        (await newTransport({
          sessionIdGenerator: randomUUID,
          onsessioninitialized: (id) => sessions.set(id, transport),
        })));
    await transport.handleRequest(request, response, body);
  };
}
