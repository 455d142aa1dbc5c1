import { createAdaptorServer } from "@hono/node-server";
import { ZodJsonSchemaAdapter } from "@tmcp/adapter-zod";
import { HttpTransport } from "@tmcp/transport-http";
import { McpServer } from "tmcp";

const server = new McpServer(
  { name: "dice", version: "1.0.0", description: "Rolls dice" },
  { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: {} } },
);
server.tool({ name: "roll", description: "Rolls a die" }, () => ({
  content: [{ type: "text", text: "4" }],
}));
const transport = new HttpTransport(server, { path: "/mcp", allowedOrigins: [] });
const nowhere = new Response(null, { status: 404 });
const http = createAdaptorServer({
  fetch: async (request) => (await transport.respond(request)) ?? nowhere,
});
http.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${http.address().port}/mcp`));
