import { ZodJsonSchemaAdapter } from "@tmcp/adapter-zod";
import { StdioTransport } from "@tmcp/transport-stdio";
import { McpServer } from "tmcp";

const server = new McpServer(
  { name: "dice", version: "1.0.0", description: "Rolls dice" },
  { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: {} } },
);
server.tool({ name: "roll", description: "Rolls a die" }, () => ({
  content: [{ type: "text", text: "4" }],
}));
new StdioTransport(server).listen();
