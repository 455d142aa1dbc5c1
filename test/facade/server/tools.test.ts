import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { revisions, RpcError, structured, ToolError } from "@mcp-codegen/universal";
import { McpServer as ServerOfSome } from "@mcp-codegen/universal/bare/server";
import { factsOf, McpServer, REVISIONS } from "./support/server.js";
import type { Wire } from "../../engine/support/raw-peer.js";
import { Talk } from "./support/talk.js";

const text = (value: string) => [{ type: "text", text: value }];

/** Returns the text with which invalid arguments are refused. */
function refusalOf({ isError, content, code, message }: Wire, revision: string): string {
  const isResult = factsOf(revision).argumentErrors === "result";
  expect(isResult ? isError : code).toBe(isResult ? true : -32602);
  return isResult ? content[0].text : message;
}

describe.each(REVISIONS)("tools at %s", (revision) => {
  const { isAlone, structured: isStructured } = factsOf(revision);
  const talkTo = (server: McpServer) => Talk.with(server, revision);

  it.each([
    ["zod", z.object({ a: z.number(), b: z.number().default(2) })],
    ["valibot", toStandardJsonSchema(v.object({ a: v.number(), b: v.optional(v.number(), 2) }))],
    ["arktype", type({ a: "number", b: "number = 2" })],
  ])("receive the arguments that a schema of %s parses", async (_, inputSchema) => {
    const server = new McpServer();
    server.registerTool("add", { inputSchema: inputSchema as z.ZodObject }, (args) => {
      const { a, b } = args as { a: number; b: number };
      return String(a + b);
    });
    const talk = await talkTo(server);
    const { tools } = (await talk.call("tools/list")).result;
    expect(tools[0].inputSchema).toMatchObject({
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number" } },
      required: ["a"],
    });
    expect(tools[0].inputSchema).not.toHaveProperty("$schema");
    expect((await talk.tool("add", { a: 1 })).content).toEqual(text("3"));
    const refusal = refusalOf(await talk.tool("add", { a: "x" }), revision);
    expect(refusal).toMatch(/^Invalid arguments for the tool "add": .*a/);
  });

  it("check a plain JSON Schema, and receive no arguments without one", async () => {
    const server = new McpServer();
    const inputSchema = {
      type: "object",
      properties: { city: { type: "string" } },
      required: ["city"],
    } as const;
    server.registerTool("weather", { inputSchema }, ({ city }) => `Sunny in ${city}`);
    server.registerTool("now", { description: "The time" }, (ctx) => ctx.method);
    const talk = await talkTo(server);
    expect((await talk.tool("weather", { city: "Oslo" })).content).toEqual(text("Sunny in Oslo"));
    expect(refusalOf(await talk.tool("weather", { city: 1 }), revision)).toContain("/city");
    expect((await talk.tool("now")).content).toEqual(text("tools/call"));
  });

  it("may check asynchronously", async () => {
    const server = new McpServer();
    const free = z.string().refine(async (value) => value !== "taken", { message: "is taken" });
    const inputSchema = z.object({ name: free });
    server.registerTool("sign-up", { inputSchema }, async ({ name }) => name);
    const talk = await talkTo(server);
    expect((await talk.tool("sign-up", { name: "free" })).content).toEqual(text("free"));
    const refusal = refusalOf(await talk.tool("sign-up", { name: "taken" }), revision);
    expect(refusal).toContain("/name: is taken");
  });

  it("return a string, blocks, a whole result, or nothing", async () => {
    const server = new McpServer();
    const blocks = [{ type: "text" as const, text: "b" }];
    server.registerTool("text", {}, () => "a");
    server.registerTool("blocks", {}, () => blocks);
    server.registerTool("whole", {}, () => ({ content: blocks, isError: true }));
    server.registerTool("nothing", {}, async () => {});
    server.registerTool("structured", {}, () => structured({ content: 1 }));
    const talk = await talkTo(server);
    expect((await talk.tool("text")).content).toEqual(text("a"));
    expect((await talk.tool("blocks")).content).toEqual(text("b"));
    expect(await talk.tool("whole")).toMatchObject({ content: blocks, isError: true });
    expect((await talk.tool("nothing")).content).toEqual([]);
    expect(await talk.tool("structured")).toMatchObject({
      ...(isStructured ? { structuredContent: { content: 1 } } : {}),
      content: text('{"content":1}'),
    });
  });

  it("return structured content parsed by their output schema (T14)", async () => {
    const server = new McpServer();
    const outputSchema = z.object({ sum: z.number(), unit: z.string().default("m") });
    server.registerTool("sum", { outputSchema }, () => ({ sum: 3 }));
    server.registerTool("whole", { outputSchema }, () => ({
      content: [{ type: "text", text: "three" }],
      structuredContent: { sum: 3, unit: "km" },
    }));
    server.registerTool("misfit", { outputSchema }, () => ({ sum: "3" }) as never);
    server.registerTool("failed", { outputSchema }, () => ({
      content: [{ type: "text", text: "no" }],
      isError: true,
    }));
    const talk = await talkTo(server);
    const [listed] = (await talk.call("tools/list")).result.tools;
    if (isStructured) {
      expect(listed.outputSchema.properties).toMatchObject({ sum: { type: "number" } });
    } else {
      expect(listed).not.toHaveProperty("outputSchema");
    }
    const sum = await talk.tool("sum");
    expect(sum.content).toEqual(text('{"sum":3,"unit":"m"}'));
    expect(sum.structuredContent).toEqual(isStructured ? { sum: 3, unit: "m" } : undefined);
    expect((await talk.tool("whole")).content).toContainEqual(text("three")[0]);
    expect(await talk.tool("misfit")).toMatchObject({ code: -32603, message: "Internal error" });
    expect(server.reports.map(String).join()).toMatch(/misfit.*outputSchema/);
    expect(await talk.tool("failed")).toMatchObject({ isError: true });
  });

  it("report failures with their own messages (T9)", async () => {
    const server = new McpServer();
    server.registerTool("told", {}, () => {
      throw new ToolError("Try later");
    });
    server.registerTool("rpc", {}, () => {
      throw new RpcError(1234, "own", { more: 1 });
    });
    server.registerTool("secret", {}, async () => {
      throw new Error("secret: /home");
    });
    const talk = await talkTo(server);
    expect(await talk.tool("told")).toMatchObject({ isError: true, content: text("Try later") });
    expect(await talk.tool("rpc")).toEqual({ code: 1234, message: "own", data: { more: 1 } });
    const failed = await talk.tool("secret");
    expect(failed).toMatchObject({ isError: true });
    expect(JSON.stringify(failed)).not.toContain("/home");
    expect(server.reports.map(String).join()).toContain("/home");
    expect(await talk.tool("unknown")).toMatchObject({ code: -32602 });
  });

  it("can be changed, disabled and removed, which sends clients one notification (T6)", async () => {
    const server = new McpServer();
    const tool = server.registerTool("one", { title: "One" }, () => "1");
    const talk = await talkTo(server);
    const names = async () =>
      (await talk.call("tools/list")).result.tools.map((one: { name: string }) => one.name);
    if (isAlone) await talk.listen({ toolsListChanged: true });
    await talk.notifications();

    tool.update({ title: "First", handler: () => "first" });
    tool.update({ description: "the first" });
    server.registerTool("two", {}, () => "2");
    const notifications = await talk.notifications();
    expect(notifications.map(({ method }) => method)).toEqual(["notifications/tools/list_changed"]);
    expect(tool.definition).toMatchObject({ title: "First", description: "the first" });
    expect((await talk.tool("one")).content).toEqual(text("first"));

    tool.disable();
    expect(tool.enabled).toBe(false);
    expect(await names()).toEqual(["two"]);
    expect(await talk.tool("one")).toMatchObject({ code: -32602 });
    tool.update({ enabled: true, name: "uno" });
    expect(tool.name).toBe("uno");
    expect(await names()).toEqual(["uno", "two"]);
    tool.remove();
    expect(await names()).toEqual(["two"]);
  });
});

describe("registering tools", () => {
  it("rejects schemas without a JSON form, and handlers that are not functions", () => {
    const server = new McpServer();
    const bare = v.object({ a: v.string() }) as unknown as z.ZodObject;
    expect(() => server.registerTool("a", { inputSchema: bare }, () => "")).toThrow(
      /inputSchema of "a".*toStandardJsonSchema/,
    );
    const date = z.object({ at: z.date() });
    expect(() => server.registerTool("a", { inputSchema: date }, () => "")).toThrow(/JSON Schema/);
    expect(() => server.registerTool("a", {}, undefined as never)).toThrow(/not a function/);
    const list = z.array(z.string());
    expect(() => server.registerTool("a", { inputSchema: list }, () => "")).toThrow(/"object"/);
    server.registerTool("a", {}, () => "");
    expect(() => server.registerTool("a", {}, () => "")).toThrow(TypeError);
  });

  it("is too late for the first tool after clients received capabilities without tools", async () => {
    const server = new McpServer();
    await Talk.with(server, REVISIONS[1]!);
    expect(() => server.registerTool("a", {}, () => "")).toThrow(/capabilities: \{ tools: \{\} \}/);
    const declared = new McpServer({ capabilities: { tools: {} } });
    const talk = await Talk.with(declared, REVISIONS[1]!);
    declared.registerTool("a", {}, () => "late");
    expect((await talk.tool("a")).content).toEqual(text("late"));
  });

  it("checks plain JSON Schemas without an option, also for a subset of revisions", async () => {
    const bare = new ServerOfSome({ name: "bare", version: "1" }, { revisions: [...revisions] });
    const properties = { a: { type: "string" } } as const;
    const schema = { type: "object", properties, required: ["a"] } as const;
    bare.registerTool("a", { inputSchema: schema }, ({ a }) => a);
    bare.registerPrompt("a", { argsSchema: schema }, ({ a }) => a);
    bare.registerTool("b", {}, () => "b");
    const talk = await Talk.with(bare, REVISIONS[0]!);
    const wrong = await talk.tool("a", { a: 1 });
    expect(wrong).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("expected string") }],
    });
    expect((await talk.tool("a", { a: "x" })).content).toEqual(text("x"));
    expect((await talk.call("prompts/get", { name: "a" })).error.code).toBe(-32602);
  });

  it("accepts a union of objects as input", async () => {
    const server = new McpServer();
    const inputSchema = z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("a") }),
      z.object({ kind: z.literal("b"), n: z.number() }),
    ]);
    server.registerTool("pick", { inputSchema }, (args) => args.kind);
    const talk = await Talk.with(server, REVISIONS[0]!);
    expect((await talk.call("tools/list")).result.tools[0].inputSchema.type).toBe("object");
    expect((await talk.tool("pick", { kind: "b", n: 1 })).content).toEqual(text("b"));
  });
});
