import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import * as z from "zod";
import { shape, tools } from "../tools.mjs";

const server = new McpServer({ name: "bench", version: "1.0.0" });
for (const { name, description, handler } of tools)
  server.registerTool(name, { description, inputSchema: shape(z) }, handler);

await server.connect(new StdioServerTransport());
process.stdin.on("end", () => process.exit());
