// Server on tmcp.
import { ValibotJsonSchemaAdapter } from "@tmcp/adapter-valibot";
import { StdioTransport } from "@tmcp/transport-stdio";
import { McpServer } from "tmcp";
import * as v from "valibot";

const server = new McpServer(
  { name: "tmcp", version: "1.0.0", description: "A server on tmcp" },
  { adapter: new ValibotJsonSchemaAdapter(), capabilities: { tools: {}, resources: {} } },
);
server.tool(
  { name: "add", description: "Adds", schema: v.object({ a: v.number(), b: v.number() }) },
  ({ a, b }) => ({ content: [{ type: "text", text: String(a + b) }] }),
);
server.resource({ name: "note", description: "A note", uri: "note://1" }, (uri) => ({
  contents: [{ uri, text: "remember" }],
}));
new StdioTransport(server).listen();
