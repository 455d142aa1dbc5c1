// A proxy that forwards each request to the next port in TARGETS, over connections that it keeps. With STICKY, a
// session's requests go to the place where it was opened.
import { Agent, createServer, request } from "node:http";
import { tellPort } from "./port.mjs";

const targets = process.env.TARGETS.split(" ");
const agent = new Agent({ keepAlive: true });
const homes = process.env.STICKY && new Map();
let turn = 0;
const proxy = createServer((incoming, outgoing) => {
  const { method, url: path, headers } = incoming;
  const port = homes?.get(headers["mcp-session-id"]) ?? targets[turn++ % targets.length];
  const passed = request({ agent, host: "127.0.0.1", port, method, path, headers }, (answer) => {
    const session = answer.headers["mcp-session-id"];
    if (session !== undefined) homes?.set(session, port);
    outgoing.writeHead(answer.statusCode, answer.headers);
    answer.pipe(outgoing);
  });
  passed.on("error", () => outgoing.destroy());
  incoming.pipe(passed);
});
tellPort(proxy);
