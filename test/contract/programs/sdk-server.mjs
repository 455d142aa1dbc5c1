// The same tools as in tracker.mjs, made with the official SDK.
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

const server = new McpServer({ name: "sdk", version: "1.0.0" });
server.registerTool(
  "search_issues",
  {
    description: "Finds issues",
    inputSchema: z.object({ query: z.string(), page: z.number().int().optional() }),
    outputSchema: z.object({ hits: z.array(z.string()) }),
  },
  ({ query }) => ({
    content: [],
    structuredContent: { hits: query === "wrong" ? [] : [query] },
  }),
);
server.registerPrompt(
  "review",
  { description: "Reviews code", argsSchema: z.object({ code: z.string() }) },
  ({ code }) => ({ messages: [{ role: "user", content: { type: "text", text: code } }] }),
);
await server.connect(new StdioServerTransport());
