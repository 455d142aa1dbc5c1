import { McpServer, serveStdio } from "@mcp-codegen/universal/server";
import * as z from "zod";
import { shape, tools } from "../tools.mjs";

const server = new McpServer({ name: "bench", version: "1.0.0" });
for (const { name, description, handler } of tools)
  server.registerTool(name, { description, inputSchema: z.object(shape(z)) }, handler);

await serveStdio(server, { maxLineBytes: 2 ** 24 });
