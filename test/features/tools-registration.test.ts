import { describe, expect, it } from "vitest";
import {
  type SchemaCompiler,
  type ToolDefinition,
  Tools,
  type ToolsOptions,
  checkedBy,
} from "../../runtime/features/index.js";
import type { Validator } from "../../runtime/wire/validation/validator.js";
import { connected, handshakes } from "./support/revisions.js";
import { any, failure, schemas, sum, text, twoNumbers } from "./support/tools.js";

const handler = () => text("");
const add = (tool: object, options?: ToolsOptions) =>
  new Tools(options).add(tool as ToolDefinition, handler);

describe("registration", () => {
  it("rejects a second tool of the same name and changes nothing", () => {
    const tools = new Tools();
    const one = tools.add({ name: "a", inputSchema: any }, handler);
    const other = tools.add({ name: "b", inputSchema: any }, handler);
    expect(() => tools.add({ name: "a", inputSchema: any }, handler)).toThrow(/already a tool "a"/);
    expect(() => other.update({ name: "a" })).toThrow(TypeError);
    expect(tools.definitions).toEqual([one.definition, other.definition]);
    one.remove();
    other.update({ name: "a" });
    expect(tools.definitions.map(({ name }) => name)).toEqual(["a"]);
  });

  it("takes time that is linear in the number of tools", () => {
    const tools = new Tools();
    const count = 50_000;
    const registrations = Array.from({ length: count }, (_, index) =>
      tools.add({ name: `tool-${index}`, inputSchema: any }, handler),
    );
    // Quadratic time would exceed a test's time limit.
    for (const one of registrations) one.update({ title: "changed" } as Partial<ToolDefinition>);
    expect(tools.definitions).toHaveLength(count);
    expect(tools.definitions[0]).toMatchObject({ name: "tool-0", title: "changed" });
  });

  it.each([
    ["XH-03", { a: { type: "string", "x-mcp-header": "" } }],
    ["XH-04", { a: { type: "string", "x-mcp-header": "A B" } }],
    [
      "XH-05",
      { a: { type: "string", "x-mcp-header": "A" }, b: { type: "string", "x-mcp-header": "a" } },
    ],
    ["XH-06", { a: { type: "number", "x-mcp-header": "A" } }],
    ["XH-08", { a: { type: "array", items: { type: "string", "x-mcp-header": "A" } } }],
  ])("rejects an argument that no header can hold, and names the tool (%s)", (_id, properties) => {
    const tools = new Tools({ schemas: "unchecked" });
    const one = tools.add({ name: "fine", inputSchema: any }, handler);
    const bad = { name: "bad", inputSchema: { type: "object" as const, properties } };
    expect(() => tools.add(bad, handler)).toThrow(/"bad".*x-mcp-header/);
    expect(() => one.update(bad)).toThrow(TypeError);
    expect(tools.definitions).toEqual([one.definition]);
  });

  it("needs a validator for a schema with constraints", () => {
    for (const tool of [
      { name: "a", inputSchema: twoNumbers },
      { name: "a", inputSchema: { type: "object", additionalProperties: false } },
      { name: "a", inputSchema: any, outputSchema: sum },
    ]) {
      expect(() => add(tool)).toThrow(/jsonSchemas\(\) from @mcp-codegen\/runtime\/json-schema/);
      expect(() => add(tool)).toThrow(/"unchecked"/);
      expect(() => add(tool, { schemas })).not.toThrow();
      expect(() => add(tool, { schemas: "unchecked" })).not.toThrow();
    }
  });

  it("needs no validator for a schema without constraints (TOOL-31)", () => {
    const inputSchema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {},
      required: [],
      title: "Nothing",
    };
    expect(() => add({ name: "a", inputSchema })).not.toThrow();
  });

  it.each([[undefined], [null], [[]], [{}], [{ type: "string" }], ["object"]])(
    "rejects the inputSchema %j (TOOL-30)",
    (inputSchema) => {
      expect(() => add({ name: "a", inputSchema }, { schemas })).toThrow(/inputSchema of "a"/);
    },
  );

  it("rejects an unusable schema, with tool and place (SCH-04, SCH-05)", () => {
    const inputSchema = { type: "object", properties: { x: { type: "text" } } };
    expect(() => add({ name: "a", inputSchema }, { schemas })).toThrow(
      /inputSchema of "a".*\/properties\/x\/type/,
    );
    const outputSchema = { $schema: "urn:unknown", type: "object" };
    expect(() => add({ name: "a", inputSchema: any, outputSchema }, { schemas })).toThrow(
      /outputSchema of "a".*urn:unknown/,
    );
  });

  it("changes nothing if an update is rejected", () => {
    const tools = new Tools();
    const tool = tools.add({ name: "a", inputSchema: any }, handler);
    expect(() => tool.update({ inputSchema: twoNumbers })).toThrow(TypeError);
    expect(tool.definition.inputSchema).toEqual(any);
  });

  it("compiles schemas when a tool is added, not when it is called", async () => {
    let compiled = 0;
    const counting: SchemaCompiler = (schema) => {
      compiled += 1;
      return schemas(schema);
    };
    const tools = new Tools({ schemas: counting });
    tools.add({ name: "add", inputSchema: twoNumbers, outputSchema: sum }, ({ a, b }) => ({
      structuredContent: { sum: Number(a) + Number(b) },
    }));
    expect(compiled).toBe(2);
    const { client } = await connected(handshakes.at(-1)![1], { features: [tools] });
    for (let a = 0; a < 3; a++) {
      await client.request("tools/call", { name: "add", arguments: { a, b: 1 } });
    }
    expect(compiled).toBe(2);
  });

  it("accepts compiled checks in place of schemas", async () => {
    const isSum = ((value: unknown, trace) => {
      const fits = typeof (value as { a?: unknown }).a === "number";
      if (!fits) trace?.push({ path: "/a", expected: "number", received: "?" });
      return fits;
    }) as Validator;
    const tools = new Tools();
    tools.add({ name: "add", inputSchema: twoNumbers }, () => text("called"), {
      validateInput: checkedBy(isSum),
    });
    const { client } = await connected(handshakes[0]![1], { features: [tools] });
    const good = await client.request("tools/call", { name: "add", arguments: { a: 1 } });
    expect(good).toEqual(text("called"));
    const bad = client.request("tools/call", { name: "add", arguments: {} });
    expect((await failure(bad)).message).toContain("/a: expected number, received ?");
  });

  it("reports a name that not all clients accept, and keeps the tool (TOOL-28)", async () => {
    const bad = ["", "with space", "a,b", "ünï", "x".repeat(129), "line\nbreak"];
    const good = ["a", "A.b-c_9", "x".repeat(128)];
    const tools = new Tools();
    for (const name of [...good, ...bad]) tools.add({ name, inputSchema: any }, handler);
    const { client, errors } = await connected(handshakes.at(-1)![1], { features: [tools] });
    expect(errors).toHaveLength(bad.length);
    for (const { message } of errors) expect(message).not.toContain("\n");
    tools.add({ name: "one more", inputSchema: any }, handler);
    expect(errors).toHaveLength(bad.length + 1);
    const listed = await client.request("tools/list");
    expect(listed.tools).toHaveLength(good.length + bad.length + 1);
  });

  it.each([0, 0.5, -1])("rejects a page size of %d", (pageSize) => {
    expect(() => new Tools({ pageSize })).toThrow(TypeError);
  });
});
