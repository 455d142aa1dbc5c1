import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const server = new McpServer({ name: "dice", version: "1.0.0" });
server.registerTool("roll", {}, () => ({ content: [{ type: "text", text: "4" }] }));
await server.connect(new StdioServerTransport());
