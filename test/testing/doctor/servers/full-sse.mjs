// The full server over HTTP+SSE: one session for each stream.
import { createServer } from "node:http";

const isLocal = (name) => /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(name);

export async function serveSse({ fault, handle, createSession }) {
  const options = fault.sse ?? {};
  const sessions = new Map();
  let opened = 0;
  const server = createServer(async (request, response) => {
    const { headers, method } = request;
    const { pathname, searchParams } = new URL(request.url, "http://localhost");
    const { origin = "http://localhost", host } = headers;
    const isOpen = options.anyOrigin || (options.postAnyOrigin && method === "POST");
    if (!isLocal(origin.replace(/^https?:\/\//, "")) && !isOpen)
      return void response.writeHead(403).end();
    if (!isLocal(host) && !options.anyHost) return void response.writeHead(403).end();
    if (pathname === "/mcp" && method === "GET") {
      const id = String(++opened);
      response.writeHead(200, { "content-type": "text/event-stream" });
      const path = `${options.endpoint ?? ""}${options.path ?? "/messages"}`;
      response.write(`event: endpoint\ndata: ${path}?session=${id}\n\n`);
      const type = options.eventType ?? "message";
      const send = (one) => {
        const event = `event: ${type}\ndata: ${JSON.stringify(one)}\n\n`;
        const isForAll = options.isForAll?.(one) ?? options.isBroadcast;
        const open = isForAll ? [...sessions.values()] : [{ response }];
        for (const { response: stream } of open)
          stream.write(options.isLatin1 ? Buffer.from(event, "latin1") : event);
      };
      sessions.set(id, { session: createSession(), send, response });
      if (!options.keepsEnded) response.on("close", () => sessions.delete(id));
      return;
    }
    const open = sessions.get(searchParams.get("session"));
    if (options.path) return void response.writeHead(404).end();
    if (pathname !== "/messages" || method !== "POST") {
      const { status = 405, body } = options.refusal ?? {};
      const type = body && { "content-type": "application/json" };
      return void response.writeHead(status, type).end(JSON.stringify(body));
    }
    if (open === undefined) return void response.writeHead(404).end();
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const message = JSON.parse(Buffer.concat(chunks).toString());
    const { session, send } = open;
    if (message.method !== undefined && options.refuses === message.method)
      return void response.writeHead(400).end();
    response.writeHead(202).end("Accepted");
    const answer = await handle(message, session, send);
    if (answer !== undefined) send(answer);
    await fault.after?.(message, { session, send, write: send });
    if (message.method !== undefined && options.endsAt === message.method) open.response.end();
  });
  server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
  process.stdin.on("end", () => process.exit(0)).resume();
}
