import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

serveStdio(() => {
  const server = new McpServer({ name: "dice", version: "1.0.0" });
  server.registerTool("roll", {}, () => ({ content: [{ type: "text", text: "4" }] }));
  return server;
});
