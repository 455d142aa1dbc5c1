import { McpServer } from "@mcp-codegen/universal/server";
import * as z from "zod";
import { echo, shape, tools } from "../tools.mjs";
import { serve } from "./serve-ours.mjs";

const server = new McpServer({ name: "bench", version: "1.0.0" });
const inputSchema = z.object(shape(z));
for (const { name, description, handler } of tools) {
  server.registerTool(name, { description, inputSchema }, handler);
}
server.registerTool("tell", { inputSchema }, (args, context) => {
  context.progress(1, 2);
  return echo(args);
});
await serve(server);
