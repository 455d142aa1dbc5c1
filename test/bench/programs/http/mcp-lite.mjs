import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { InMemorySessionAdapter, McpServer, StreamableHttpTransport } from "mcp-lite";
import * as z from "zod";
import { echo, shape, tools } from "../tools.mjs";
import { tellPort } from "./port.mjs";

const server = new McpServer({
  name: "bench",
  version: "1.0.0",
  schemaAdapter: (schema) => z.toJSONSchema(schema),
});
const inputSchema = z.object(shape(z));
for (const { name, description, handler } of tools) {
  server.tool(name, { description, inputSchema, handler });
}
server.tool("tell", {
  inputSchema,
  handler: (args, context) => {
    context.progress?.({ progress: 1, total: 2 });
    return echo(args);
  },
});
const transport = new StreamableHttpTransport({
  sessionAdapter: new InMemorySessionAdapter({ maxEventBufferSize: 1024 }),
});
const handle = transport.bind(server);
const app = new Hono();
app.all("/mcp", (context) => handle(context.req.raw));

tellPort(createAdaptorServer({ fetch: app.fetch }));
