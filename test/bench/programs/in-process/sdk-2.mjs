import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";
import { shape, tools } from "../tools.mjs";
import { measure } from "./measure.mjs";

function build() {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  for (const { name, description, handler } of tools)
    server.registerTool(name, { description, inputSchema: z.object(shape(z)) }, handler);
  return server;
}

const isStateless = process.env.REVISION === "2026-07-28";
const mode = isStateless ? { pin: "2026-07-28" } : "legacy";
const client = new Client({ name: "bench", version: "1.0.0" }, { versionNegotiation: { mode } });

const [near, far] = InMemoryTransport.createLinkedPair();
// Only what serves stdio also serves the stateless revision on a transport of one's own.
if (isStateless) serveStdio(build, { transport: far });
else await build().connect(far);
await client.connect(near);
if (client.getNegotiatedProtocolVersion() !== process.env.REVISION)
  throw new Error(`It speaks ${client.getNegotiatedProtocolVersion()}`);
await measure((text) => client.callTool({ name: "echo", arguments: { text } }));
