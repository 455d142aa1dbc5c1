import { randomUUID } from "node:crypto";

/**
 * Returns a handler that creates a transport, with a server behind it, for each session, as the documentation of the
 * SDKs shows.
 *
 * @param newTransport - makes a connected transport with the given options
 * @param isOpening - true for a message that opens a session
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

async function readBody(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}
