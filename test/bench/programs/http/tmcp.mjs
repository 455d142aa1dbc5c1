import { createAdaptorServer } from "@hono/node-server";
import { ZodJsonSchemaAdapter } from "@tmcp/adapter-zod";
import { HttpTransport } from "@tmcp/transport-http";
import { McpServer } from "tmcp";
import * as z from "zod";
import { echo, shape, tools } from "../tools.mjs";
import { tellPort } from "./port.mjs";

const server = new McpServer(
  { name: "bench", version: "1.0.0", description: "Of the benchmark" },
  { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: {} } },
);
const schema = z.object(shape(z));
for (const { name, description, handler } of tools) {
  server.tool({ name, description, schema }, handler);
}
server.tool({ name: "tell", description: "Tells how far it is", schema }, (args) => {
  server.progress(1, 2);
  return echo(args);
});
const transport = new HttpTransport(server, { path: "/mcp", allowedOrigins: [] });
const nowhere = new Response(null, { status: 404 });

tellPort(
  createAdaptorServer({ fetch: async (request) => (await transport.respond(request)) ?? nowhere }),
);
