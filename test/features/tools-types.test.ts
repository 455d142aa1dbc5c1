import * as v20241105 from "@mcp-codegen/2024-11-05";
import * as v20251125 from "@mcp-codegen/2025-11-25";
import { expect, it } from "vitest";
import { CheckedTools, Prompts, Tools } from "../../runtime/features/index.js";
import { jsonSchemas } from "../../runtime/json-schema/index.js";
import { memoryPair } from "../../runtime/memory/memory-pair.js";

const info = { name: "typed", version: "1" };
const inputSchema = { type: "object" as const };
const content = [{ type: "text" as const, text: "" }];

it("tools and prompts have the types of their revision", async () => {
  const tools = new Tools<v20251125.Tool, v20251125.CallToolResult, v20251125.ServerContext>({
    schemas: jsonSchemas(),
  });
  tools.add(
    { name: "ask", title: "Ask", inputSchema, execution: { taskSupport: "optional" } },
    async (_args, { request }) => {
      const { roots } = await request("roots/list");
      // @ts-expect-error -- a server does not ask for tools
      void (() => request("tools/list"));
      return { content, structuredContent: { roots: roots.length } };
    },
  );
  tools.add({ name: "structured", inputSchema }, () => ({ structuredContent: { a: 1 } }));
  // @ts-expect-error -- content has types of its own
  tools.add({ name: "wrong", inputSchema }, () => ({ content: [{ type: "video" }] }));
  // @ts-expect-error -- there is no such member
  tools.add({ name: "strange", inputSchema, colour: "red" }, () => ({ content }));

  const prompts = new Prompts<
    v20251125.Prompt,
    v20251125.GetPromptResult,
    v20251125.ServerContext
  >();
  prompts.add({ name: "hello" }, ({ who = "you" }) => ({
    messages: [{ role: "user", content: { type: "text", text: who } }],
  }));

  const server = new v20251125.Server(info, {}, { features: [tools, prompts] });
  const client = new v20251125.Client(info, { "roots/list": () => ({ roots: [] }) });
  const [near, far] = memoryPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  const checked = new CheckedTools(client, { schemas: jsonSchemas({ trust: "foreign" }) });
  const result = await checked.call({ name: "ask" }, { timeout: 1000 });
  expect(result.structuredContent).toEqual({ roots: 0 });
  await client.close();
});

it("arguments and structured content have the types of their schemas", async () => {
  const tools = new Tools<v20251125.Tool, v20251125.CallToolResult, v20251125.ServerContext>({
    schemas: jsonSchemas(),
  });
  tools.add(
    {
      name: "order",
      title: undefined,
      inputSchema: {
        type: "object",
        properties: {
          count: { type: "integer" },
          size: { enum: ["s", "m"] },
          tags: { type: "array", items: { type: "string" } },
          note: { type: ["string", "null"] },
          to: { type: "object", properties: { zip: { const: 1 } }, required: ["zip"] },
          more: {},
        },
        required: ["count", "size"],
      },
      outputSchema: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
    },
    ({ count, size, tags, note, to, more }) => {
      const typed: [number, "s" | "m", string[]?, (string | null)?, { zip: 1 }?] = [count, size];
      void [...typed, tags?.[0]?.trim(), note?.trim(), to?.zip.toFixed()];
      // @ts-expect-error -- nothing is known of it
      void (() => more.length);
      // @ts-expect-error -- it is one of two
      void (() => size === "l");
      return { structuredContent: { sum: count + 1 } };
    },
  );
  tools.add({ name: "free", inputSchema }, async ({ any: thing }) => ({
    structuredContent: { thing },
  }));
  tools.add({ name: "later", inputSchema }, () => new Promise((resolve) => resolve({ content })));
  const properties = { sum: { type: "number" } } as const;
  const outputSchema = { type: "object", properties } as const;
  // @ts-expect-error -- the sum is a number
  tools.add({ name: "a", inputSchema, outputSchema }, () => ({ structuredContent: { sum: "" } }));

  const server = new v20251125.Server(info, {}, { features: [tools] });
  const client = new v20251125.Client(info);
  const [near, far] = memoryPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  const { tools: listed } = await client.listTools();
  expect(listed[0]).not.toHaveProperty("title");
  const ordered = { name: "order", arguments: { count: 1, size: "s" } };
  expect((await client.callTool(ordered)).structuredContent).toEqual({ sum: 2 });
  await client.close();
});

it("an older revision has no members of later ones", () => {
  const tools = new Tools<v20241105.Tool, v20241105.CallToolResult, v20241105.ServerContext>();
  tools.add({ name: "plain", inputSchema }, () => ({ content }));
  // @ts-expect-error -- there is no outputSchema yet
  tools.add({ name: "later", inputSchema, outputSchema: inputSchema }, () => ({ content }));
  expect(tools.definitions).toHaveLength(2);
});
