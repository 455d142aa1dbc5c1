import * as theirs from "@modelcontextprotocol/sdk/types.js";
import * as ours from "@mcp-codegen/sdk/types.js";
import { Client } from "@mcp-codegen/sdk/client/index.js";
import { InMemoryTransport } from "@mcp-codegen/sdk/inMemory.js";
import { McpServer } from "@mcp-codegen/sdk/server/mcp.js";
import { describe, expect, it } from "vitest";
import * as z from "zod";

type Some = Readonly<Record<string, { readonly shape?: Record<string, unknown> }>>;

/** The SDK's constants that are object schemas. */
const objects = Object.entries(theirs as unknown as Some).flatMap(([name, one]) => {
  const shape = name.endsWith("Schema") && name in ours ? one.shape : undefined;
  return shape ? [[name, Object.keys(shape)] as const] : [];
});

describe("schema constants have parts, as those of the SDK", () => {
  it("the members of objects", () => {
    expect(objects.length).toBeGreaterThan(80);
    const differing = objects.filter(([name, members]) => {
      const { shape = {} } = (ours as unknown as Some)[name]!;
      // Each object may have `_meta`, even if no declaration names it.
      return members.some((member) => member !== "_meta" && !(member in shape));
    });
    expect(differing).toEqual([]);
  });

  it("the method of each message", () => {
    const methods = Object.entries(theirs as unknown as Some).flatMap(([name, { shape }]) => {
      const { value } = (shape?.["method"] ?? {}) as { readonly value?: string };
      return value === undefined || !(name in ours) ? [] : [[name, value] as const];
    });
    expect(methods.length).toBeGreaterThan(30);
    for (const [name, value] of methods) {
      const { shape } = (ours as unknown as Record<string, typeof ours.CallToolRequestSchema>)[
        name
      ]!;
      expect(shape.method.value, name).toBe(value);
    }
  });

  it("the values of unions of literals, and the alternatives of others", () => {
    expect(ours.LoggingLevelSchema.options).toEqual(theirs.LoggingLevelSchema.options);
    expect(ours.ContentBlockSchema.options).toHaveLength(theirs.ContentBlockSchema.options.length);
    expect(ours.RoleSchema.options).toEqual(["user", "assistant"]);
  });

  it("members that check values", () => {
    const { params } = ours.CallToolRequestSchema.shape;
    expect(params.safeParse({ name: "a" }).success).toBe(true);
    expect(params.safeParse({ name: 1 }).success).toBe(false);
    expect(ours.ToolSchema.shape.description.safeParse(undefined).success).toBe(true);
    expect(ours.ToolSchema.shape.name.safeParse(undefined).success).toBe(false);
  });
});

it("a method is read from what schemas of small variants of zod keep inside", () => {
  const literal = { _zod: { def: { type: "literal", values: ["acme/small"] } } };
  const schema = { _zod: { def: { type: "object", shape: { method: literal } } } };
  const { server } = new McpServer({ name: "own", version: "1.0.0" });
  server.setRequestHandler(schema as never, () => ({}));
  expect(() => server.setRequestHandler({ _zod: { def: {} } } as never, () => ({}))).toThrow(
    "needs a literal as its method",
  );
});

describe("schemas made of schema constants", () => {
  it("name a method of their own, which a server handles", async () => {
    const Echo = ours.RequestSchema.extend({
      method: z.literal("acme/echo"),
      params: z.object({ value: z.string() }),
    });
    expect(Object.keys(Echo.describe("Echoes").shape)).toEqual(["method", "params"]);
    const { server } = new McpServer({ name: "own", version: "1.0.0" });
    server.setRequestHandler(Echo, ({ params }) => ({ echoed: params.value }));
    const Tick = ours.NotificationSchema.extend({
      method: z.literal("acme/tick"),
      params: z.object({ every: z.number().default(1) }),
    });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    const client = new Client({ name: "host", version: "1.0.0" });
    const ticks: unknown[] = [];
    client.setNotificationHandler(Tick, ({ params }) => void ticks.push(params));
    await client.connect(near);
    await server.notification({ method: "acme/tick", params: { other: true } });
    await expect.poll(() => ticks).toEqual([{ every: 1 }]);
    const request = { method: "acme/echo", params: { value: "a" } };
    expect(await client.request(request, ours.ResultSchema)).toEqual({ echoed: "a" });
    await client.close();
  });

  it("have further members, with schemas of any library", () => {
    const extended = ours.ToolSchema.extend({ price: z.number().default(3), name: z.literal("a") });
    const tool = { name: "a", inputSchema: { type: "object" } };
    expect(extended.parse(tool)).toEqual({ ...tool, price: 3 });
    const { error } = extended.safeParse({ ...tool, name: "b", price: "?", title: 1 });
    expect(error?.issues.map(({ path }) => path.join("."))).toEqual(["title", "price", "name"]);
  });

  it("are parts of schemas of zod", () => {
    const schema = z.object({
      tools: z.array(ours.ToolSchema as never),
      call: ours.CallToolRequestSchema.optional() as never,
      level: z.union([ours.LoggingLevelSchema as never, z.null()]),
    });
    const tool = { name: "a", inputSchema: { type: "object" }, more: 1 };
    expect(schema.parse({ tools: [tool], level: "debug" })).toEqual({
      tools: [tool],
      level: "debug",
    });
    const { error } = schema.safeParse({ tools: [tool, { name: 1 }], level: "loud" });
    expect(error?.issues.map(({ path }) => path.join("."))).toEqual([
      "tools.1.name",
      "tools.1.inputSchema",
      "level",
    ]);
    expect(z.toJSONSchema(schema)).toMatchObject({
      properties: { tools: { items: { type: "object", required: ["name", "inputSchema"] } } },
      required: ["tools", "level"],
    });
  });

  it("can be optional, nullable, and described", () => {
    const schema = ours.CallToolRequestSchema.describe("A call");
    expect([schema.description, schema.method]).toEqual(["A call", "tools/call"]);
    expect(ours.ToolSchema.optional().safeParse(undefined).success).toBe(true);
    expect(ours.ToolSchema.nullable().safeParse(null).success).toBe(true);
    expect(ours.ToolSchema.safeParse(null).success).toBe(false);
  });

  it("describe and check the arguments of tools", async () => {
    const server = new McpServer({ name: "s", version: "1" });
    const inputSchema = ours.CreateMessageRequestParamsSchema as unknown as z.ZodObject;
    server.registerTool("sample", { inputSchema }, () => ({ content: [] }));
    const client = new Client({ name: "c", version: "1" });
    const [one, other] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(one), client.connect(other)]);
    const { tools } = await client.listTools();
    expect(tools[0]!.inputSchema).toMatchObject({
      type: "object",
      properties: { messages: { type: "array" }, maxTokens: { type: "integer" } },
      required: ["messages", "maxTokens"],
    });
    const wrong = await client.callTool({ name: "sample", arguments: { messages: 1 } });
    expect(wrong.isError).toBe(true);
    await client.close();
  });
});
