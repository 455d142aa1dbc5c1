import { McpServer } from "@mcp-codegen/sdk/server";
import { serveStdio } from "@mcp-codegen/sdk/server/stdio";

serveStdio(() => {
  const server = new McpServer({ name: "dice", version: "1.0.0" });
  server.registerTool("roll", {}, () => ({ content: [{ type: "text", text: "4" }] }));
  return server;
});
