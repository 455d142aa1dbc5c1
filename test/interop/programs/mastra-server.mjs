// Server on Mastra.
import { createTool } from "@mastra/core/tools";
import { MCPServer } from "@mastra/mcp";
import { z } from "zod";

const add = createTool({
  id: "add",
  description: "Adds two numbers",
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  execute: async ({ a, b }) => ({ sum: a + b }),
});
await new MCPServer({
  id: "mastra",
  name: "mastra",
  version: "1.0.0",
  tools: { add },
}).startStdio();
