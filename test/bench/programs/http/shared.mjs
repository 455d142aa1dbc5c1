// A server whose sessions are stored on Redis if REDIS contains its URL, and otherwise in memory.
import { redis } from "@mcp-codegen/redis";
import { listen } from "@mcp-codegen/runtime/http/node";
import { createHttpHandler } from "@mcp-codegen/runtime/http/server";
import { SharedSessions } from "@mcp-codegen/runtime/http/sharing";
import { McpServer } from "@mcp-codegen/universal/server";
import { createClient } from "@redis/client";
import * as z from "zod";
import { echo, shape } from "../tools.mjs";

const stores = process.env.REDIS && redis(await clientOf(process.env.REDIS));
const server = new McpServer({ name: "bench", version: "1.0.0" }, stores && { bus: stores.bus });
const inputSchema = z.object(shape(z));
server.registerTool("echo", { inputSchema }, echo);
server.registerTool("tell", { inputSchema }, (args, context) => {
  context.progress(1, 2);
  return echo(args);
});
server.registerTool("ask", { inputSchema }, async (args, context) => {
  await context.listRoots();
  return echo(args);
});
const options = stores && { sessions: new SharedSessions(stores) };
process.send((await listen(createHttpHandler(server, options))).port);

async function clientOf(url) {
  const client = createClient({ url });
  await client.connect();
  return client;
}
