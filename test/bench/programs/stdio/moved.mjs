import { McpServer } from "@mcp-codegen/sdk/server";
import { serveStdio } from "@mcp-codegen/sdk/server/stdio";
import * as z from "zod";
import { shape, tools } from "../tools.mjs";

serveStdio(() => {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  for (const { name, description, handler } of tools)
    server.registerTool(name, { description, inputSchema: z.object(shape(z)) }, handler);
  return server;
});
process.stdin.on("end", () => process.exit());
