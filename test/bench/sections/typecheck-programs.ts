/** A server with tools in one way to write it. */
export interface Program {
  readonly name: string;
  /** What its time is a ratio of. */
  readonly baseline: string;
  readonly text: (tools: number) => string;
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Arguments of the size that tools have in the wild; each tool has names of its own. */
const jsonSchema = (n: number): string => `{
    type: "object",
    properties: {
      text${n}: { type: "string", description: "What to say" },
      times: { type: "integer", minimum: 1, maximum: 10 },
      tone: { type: "string", enum: ["calm", "cheerful", "stern"] },
      tags${n}: { type: "array", items: { type: "string" } },
    },
    required: ["text${n}"],
  }`;

const zodShape = (n: number): string => `{
    text${n}: z.string().describe("What to say"),
    times: z.number().int().min(1).max(10).optional(),
    tone: z.enum(["calm", "cheerful", "stern"]).optional(),
    tags${n}: z.array(z.string()).optional(),
  }`;

const argumentTypes = (n: number): string => `interface Arguments${n} {
  text${n}: string;
  times?: number;
  tone?: "calm" | "cheerful" | "stern";
  tags${n}?: string[];
}`;

const answer = (n: number): string => `({
    content: [{ type: "text" as const, text: args.text${n}.repeat(args.times ?? 1) + args.tags${n}?.join() }],
  })`;

const each = (count: number, line: (n: number) => string): string =>
  numbers(count).map(line).join("\n");

const ZOD = `import * as z from "zod";\n`;
const INFO = `{ name: "bench", version: "1.0.0" }`;

export const programs: readonly Program[] = [
  {
    name: "plain types",
    baseline: "plain types",
    text: (count) => `
interface Tool { description: string; inputSchema: object; handler: (args: never) => object }
const tools = new Map<string, Tool>();
${each(count, (n) => `${argumentTypes(n)}\ntools.set("tool-${n}", { description: "Says", inputSchema: ${jsonSchema(n)}, handler: (args: Arguments${n}) => ${answer(n)} });`)}
export { tools };`,
  },
  {
    name: "2025-11-25, JSON Schema",
    baseline: "plain types",
    text: (count) => `
import { Server } from "@mcp-codegen/2025-11-25";
import { Tools } from "@mcp-codegen/2025-11-25/features";
import { jsonSchemas } from "@mcp-codegen/runtime/json-schema";
const tools = new Tools({ schemas: jsonSchemas() });
${each(count, (n) => `tools.add({ name: "tool-${n}", description: "Says", inputSchema: ${jsonSchema(n)} }, (args) => ${answer(n)});`)}
export const server = new Server(${INFO}, {}, { features: [tools] });`,
  },
  {
    name: "2025-11-25, generated types",
    baseline: "plain types",
    text: (count) => `
import { type CallToolResult, Server, type Tool } from "@mcp-codegen/2025-11-25";
const tools: Tool[] = [];
const handlers = new Map<string, (args: never) => CallToolResult>();
${each(count, (n) => `${argumentTypes(n)}\ntools.push({ name: "tool-${n}", description: "Says", inputSchema: ${jsonSchema(n)} });\nhandlers.set("tool-${n}", (args: Arguments${n}) => ${answer(n)});`)}
export const server = new Server(${INFO}, {
  "tools/list": () => ({ tools }),
  "tools/call": (params) => handlers.get(params.name)!(params.arguments as never),
});`,
  },
  {
    name: "universal, JSON Schema",
    baseline: "plain types",
    text: (count) => `
import { McpServer } from "@mcp-codegen/universal";
const server = new McpServer(${INFO});
${each(count, (n) => `server.registerTool("tool-${n}", { description: "Says", inputSchema: ${jsonSchema(n)} }, (args) => ${answer(n)});`)}
export { server };`,
  },
  {
    name: "zod alone",
    baseline: "zod alone",
    text: (count) => `${ZOD}
interface Tool { description: string; inputSchema: object; handler: (args: never) => object }
const tools = new Map<string, Tool>();
${each(count, (n) => `const schema${n} = z.object(${zodShape(n)});\ntools.set("tool-${n}", { description: "Says", inputSchema: schema${n}, handler: (args: z.infer<typeof schema${n}>) => ${answer(n)} });`)}
export { tools };`,
  },
  {
    name: "universal, zod",
    baseline: "zod alone",
    text: (count) => `${ZOD}
import { McpServer } from "@mcp-codegen/universal";
const server = new McpServer(${INFO});
${each(count, (n) => `server.registerTool("tool-${n}", { description: "Says", inputSchema: z.object(${zodShape(n)}) }, (args) => ${answer(n)});`)}
export { server };`,
  },
  {
    name: "sdk 1.32, zod",
    baseline: "zod alone",
    text: (count) => `${ZOD}
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer(${INFO});
${each(count, (n) => `server.registerTool("tool-${n}", { description: "Says", inputSchema: ${zodShape(n)} }, (args) => ${answer(n)});`)}
export { server };`,
  },
  {
    name: "sdk 2.4, zod",
    baseline: "zod alone",
    text: (count) => `${ZOD}
import { McpServer } from "@modelcontextprotocol/server";
const server = new McpServer(${INFO});
${each(count, (n) => `server.registerTool("tool-${n}", { description: "Says", inputSchema: z.object(${zodShape(n)}) }, (args) => ${answer(n)});`)}
export { server };`,
  },
];
