import { ZodJsonSchemaAdapter } from "@tmcp/adapter-zod";
import { StdioTransport } from "@tmcp/transport-stdio";
import { McpServer } from "tmcp";
import * as z from "zod";
import { shape, tools } from "../tools.mjs";

const server = new McpServer(
  { name: "bench", version: "1.0.0", description: "Is measured" },
  { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: {} } },
);
for (const { name, description, handler } of tools)
  server.tool({ name, description, schema: z.object(shape(z)) }, handler);

new StdioTransport(server).listen();
