import * as v20241105 from "@mcp-codegen/2024-11-05";
import * as v20251125 from "@mcp-codegen/2025-11-25";
import { expect, it } from "vitest";
import { CheckedTools } from "../../runtime/features/checked-tools.js";
import { Prompts } from "../../runtime/features/prompts.js";
import { Tools } from "../../runtime/features/tools.js";
import { jsonSchemas } from "../../runtime/json-schema/index.js";
import { memoryPair } from "../../runtime/transport/memory.js";

const info = { name: "typed", version: "1" };
const inputSchema = { type: "object" as const };
const content = [{ type: "text" as const, text: "" }];

it("tools and prompts are typed by their revision", async () => {
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

it("an older revision has no members of later ones", () => {
  const tools = new Tools<v20241105.Tool, v20241105.CallToolResult, v20241105.ServerContext>();
  tools.add({ name: "plain", inputSchema }, () => ({ content }));
  // @ts-expect-error -- there is no outputSchema yet
  tools.add({ name: "later", inputSchema, outputSchema: inputSchema }, () => ({ content }));
  expect(tools.definitions).toHaveLength(2);
});
