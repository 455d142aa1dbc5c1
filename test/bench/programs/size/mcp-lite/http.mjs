import { createAdaptorServer } from "@hono/node-server";
import { InMemorySessionAdapter, McpServer, StreamableHttpTransport } from "mcp-lite";
import * as z from "zod";

const server = new McpServer({
  name: "dice",
  version: "1.0.0",
  schemaAdapter: (schema) => z.toJSONSchema(schema),
});
server.tool("roll", { handler: () => ({ content: [{ type: "text", text: "4" }] }) });
const sessionAdapter = new InMemorySessionAdapter({ maxEventBufferSize: 1024 });
const http = createAdaptorServer({
  fetch: new StreamableHttpTransport({ sessionAdapter }).bind(server),
});
http.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${http.address().port}/mcp`));
