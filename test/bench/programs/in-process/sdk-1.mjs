import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import * as z from "zod";
import { shape, tools } from "../tools.mjs";
import { measure } from "./measure.mjs";

const server = new McpServer({ name: "bench", version: "1.0.0" });
for (const { name, description, handler } of tools)
  server.registerTool(name, { description, inputSchema: shape(z) }, handler);
const client = new Client({ name: "bench", version: "1.0.0" });

const [near, far] = InMemoryTransport.createLinkedPair();
await Promise.all([server.connect(far), client.connect(near)]);
await measure((text) => client.callTool({ name: "echo", arguments: { text } }));
