// A server that cannot list its resources and has one extra tool for clients that can elicit.
import { McpServer, serveStdio } from "@mcp-codegen/universal/server";

const server = new McpServer(
  { name: "partial", version: "1.0.0" },
  { capabilities: { resources: {} } },
);
const now = { type: "string", default: new Date().toISOString() };
const inputSchema = { type: "object", properties: { from: now } };
server.registerTool("search", { inputSchema }, () => "x");
server.setHandler("resources/list", () => {
  throw new Error("the database is not there");
});
server.setHandler("tools/list", (_params, { client }) => ({
  tools: [
    { name: "search", inputSchema },
    ...(client.capabilities.elicitation ? [{ name: "ask", inputSchema: { type: "object" } }] : []),
  ],
}));
await serveStdio(server);
