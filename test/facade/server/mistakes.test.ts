import { toStandardJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { expect, it } from "vitest";
import * as z from "zod";
import * as small from "zod/mini";
import * as z3 from "zod/v3";
import { McpServer as Universal, ResourceTemplate, structured } from "@mcp-codegen/universal";
import { McpServer as Bare } from "@mcp-codegen/universal/bare/server";
import { ServerBase as Server } from "../../../runtime/engine/index.js";
import { serverHandshake } from "../../../runtime/session/index.js";
import { McpServer, REVISIONS } from "./support/server.js";
import { Talk } from "./support/talk.js";

const newest = REVISIONS[0]!;
const info = { name: "a", version: "1" };
const text = () => "";

/** Registers definitions that the compiler would reject. */
const register = (
  method: "registerTool" | "registerPrompt" | "registerResource",
  ...args: unknown[]
) => (new McpServer()[method] as (...given: unknown[]) => unknown)(...args);

it.each([
  ["nothing", []],
  ["a name alone", ["name"]],
  ["no version", [{ name: "a" }]],
])("a server created from %s is rejected", (_, args) => {
  expect(() => Reflect.construct(Universal, args)).toThrow("new McpServer({ name, version })");
});

it.each<[string, object | null, string]>([
  [
    "a schema that is not an object schema",
    z.string(),
    'must be an object of type "object": put the value into one',
  ],
  ["zod/mini", small.object({ a: small.string() }), 'from "zod" and not from "zod/mini"'],
  ["an old zod", z3.object({ a: z3.string() }), "use zod 4.2 or later"],
  ["null", null, 'The inputSchema of "t" is not a schema: pass a schema of a library'],
  ["a record of schemas", { a: z.string() }, "is not a schema: pass one for the whole object"],
  ["a record with an old zod", { a: z3.string() }, "pass one for the whole object"],
  ["a record with names of keywords", { type: z.string() }, "as z.object({ … })"],
  ["bare valibot", v.object({ a: v.string() }), "wrap it with toStandardJsonSchema"],
  ["a type without a JSON Schema", z.object({ a: z.date() }), "Date cannot be represented"],
  ["properties alone", { a: { type: "string" } }, "is not a schema: pass a schema of a library"],
  ["a record of schemas and other values", { a: z.string(), b: "string" }, "as z.object({ … })"],
])("%s is rejected as the inputSchema of a tool", (_, inputSchema, problem) => {
  expect(() => register("registerTool", "t", { inputSchema }, text)).toThrow(problem);
});

it.each<[string, object, string]>([
  ["keys that are short", { keys: [new Uint8Array(6)] }, "secrets of 32 bytes"],
  ["no keys", { keys: [] }, "secrets of 32 bytes"],
  ["a key in place of a list", { keys: new Uint8Array(32) }, "secrets of 32 bytes"],
  ["a string as a key", { keys: ["secret"] }, "secrets of 32 bytes"],
  ["an invalid time", { timeToAnswer: 0 }, "rounds.timeToAnswer must be a number above 0"],
  ["an invalid redeem", { redeem: true }, "rounds.redeem must be a function"],
])("a server with rounds of %s is rejected (A12)", (_, rounds, problem) => {
  const make = () => new McpServer({ rounds: rounds as never });
  expect(make).toThrow(TypeError);
  expect(make).toThrow(problem);
});

it.each([true, "yes", 1, null])("a server that declares %j as tools is rejected", (tools) => {
  expect(() => new McpServer({ capabilities: { tools: tools as never } })).toThrow(
    "capabilities.tools must be an object, such as {}, or false",
  );
});

const chosen = (...revisions: readonly unknown[]) =>
  new McpServer({ revisions: revisions as never }).revisions.map(({ id }) => id);

it("revisions can be named by their ids, which must be known", () => {
  expect(chosen("2025-06-18", "2024-11-05")).toEqual(["2025-06-18", "2024-11-05"]);
  const known = "2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05";
  expect(() => chosen("2025-06-19")).toThrow(
    `revisions: "2025-06-19" is unknown; the known ones are ${known}`,
  );
  expect(() => chosen(undefined)).toThrow(`revisions: "undefined" is unknown`);
  expect(() => chosen(5)).toThrow(`revisions: "5" is unknown`);
  expect(() => chosen()).toThrow("At least one revision is needed");
  expect(() => new McpServer({ revisions: "2025-06-18" as never })).toThrow(
    "revisions must be a list",
  );
  expect(() => new Bare(info, { revisions: ["2025-06-18"] as never })).toThrow(
    `revisions: "2025-06-18" is unknown; the known ones are imported values only`,
  );
  expect(() => new Server([newest] as never, info, {}, {}, serverHandshake)).toThrow(
    "must be an imported value, not its id",
  );
});

it("a handler that is not a function is rejected", () => {
  expect(() => register("registerTool", "a", text)).toThrow("registerTool(name, config, handler)");
  expect(() => register("registerPrompt", "a", text)).toThrow(
    "registerPrompt(name, config, handler)",
  );
  expect(() => register("registerResource", "a", "a://b", text)).toThrow(
    "registerResource(name, uri, config, read)",
  );
});

it("a template is rejected as a URI", () => {
  expect(() => register("registerResource", "a", "a://{b}", {}, text)).toThrow(
    '"a://{b}" is not an absolute URI: for a family of resources, pass a new ResourceTemplate(template)',
  );
});

it("duplicates are rejected", () => {
  const server = new McpServer();
  server.registerTool("a", {}, text);
  server.registerResource("a", "a://b", {}, text);
  server.registerPrompt("a", {}, text);
  expect(() => server.registerTool("a", {}, text)).toThrow('There is already a tool "a"');
  expect(() => server.registerPrompt("a", {}, text)).toThrow('There is already a prompt "a"');
  expect(() => server.registerResource("b", "a://b", {}, text)).toThrow(
    'There is already a resource "a://b"',
  );
});

const advice = "return a string or content blocks, or declare an outputSchema";
const invalid = 'returned an invalid result for "t"';

it.each<[string, unknown, string]>([
  ["a number", 5, `failed: the tool "t" returned a value of type number: ${advice}`],
  ["only null", null, `failed: the tool "t" returned a value of type null: ${advice}`],
  [
    "an arbitrary object",
    { a: 1 },
    `failed: the tool "t" returned a value of type object: ${advice}`,
  ],
  ["a string as content", { content: "x" }, `${invalid}: /content: expected array, received "x"`],
  [
    "a block without its text",
    [{ type: "text", txt: "" }],
    `${invalid}: /content/0/text: expected string, received nothing`,
  ],
])("onerror reports an invalid result: %s", async (_, outcome, problem) => {
  const server = new McpServer();
  server.registerTool("t", {}, () => outcome as string);
  const talk = await Talk.with(server, newest);
  expect(await talk.tool("t")).toMatchObject({ code: -32603, message: "Internal error" });
  expect(server.reports.map(({ message }) => message)).toEqual([
    `The handler of tools/call ${problem}`,
  ]);
});

const what = (name: string) =>
  `the structured content of the tool "${name}" violates its outputSchema:`;

it("onerror reports structured content that looks like a whole result", async () => {
  const server = new McpServer();
  const outputSchema = z.object({ content: z.string() });
  server.registerTool("t", { outputSchema }, () => ({ content: "x" }));
  server.registerTool("s", { outputSchema }, () => structured({ content: "x" }));
  const talk = await Talk.with(server, newest);
  expect(await talk.tool("t")).toMatchObject({ code: -32603, message: "Internal error" });
  expect(server.reports.map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /"t" returned an object with content, that is, a whole .* return structured\(value\)$/,
    ),
  ]);
  expect(await talk.tool("s")).toMatchObject({ structuredContent: { content: "x" } });
});

it("onerror reports structured content that violates its schema", async () => {
  const server = new McpServer();
  const outputSchema = z.object({ a: z.string() });
  server.registerTool("wrong", { outputSchema }, () => ({ a: 1 }) as never);
  server.registerTool("none", { outputSchema }, () => undefined as never);
  const talk = await Talk.with(server, newest);
  await talk.tool("wrong");
  await talk.tool("none");
  expect(server.reports.map(({ message }) => message)).toEqual([
    expect.stringContaining(`${what("wrong")} /a: `),
    `The handler of tools/call failed for "none": ${what("none")} there is none`,
  ]);
});

const failing = (): never => {
  throw new Error("x");
};

it("onerror names the prompt or resource whose handler failed", async () => {
  const server = new McpServer();
  server.registerPrompt("p", {}, failing);
  server.registerResource("r", "a://r", {}, failing);
  const talk = await Talk.with(server, newest);
  await talk.call("prompts/get", { name: "p" });
  await talk.call("resources/read", { uri: "a://r" });
  expect(server.reports.map(({ message }) => message)).toEqual([
    'The handler of prompts/get failed for "p": x',
    'The handler of resources/read failed for "a://r": x',
  ]);
});

it("a resource that is null does not exist", async () => {
  const server = new McpServer();
  server.registerResource("null", "a://null", {}, () => null as never);
  const talk = await Talk.with(server, newest);
  const { error } = await talk.call("resources/read", { uri: "a://null" });
  expect(error).toMatchObject({ code: -32602, data: { uri: "a://null" } });
  expect(server.reports).toEqual([]);
});

it.each<[string, () => unknown, string]>([
  [
    "an option of the server",
    () => new Universal(info, { instruction: "x" } as never),
    '"instruction" is not an option of McpServer. Did you mean "instructions"?',
  ],
  [
    "an option of the server without a similar name",
    () => new Universal(info, { verbose: true } as never),
    '"verbose" is not an option of McpServer. The options are anonymous, askTimeout,',
  ],
  [
    "a schema of a tool",
    () => register("registerTool", "b", { inputSchma: z.object({}) }, text),
    '"inputSchma" is not an option of the tool "b". Did you mean "inputSchema"?',
  ],
  [
    "an annotation of a tool",
    () => register("registerTool", "b", { visibel: () => false }, text),
    'Did you mean "visible"?',
  ],
  [
    "arguments of a prompt",
    () => register("registerPrompt", "b", { argSchema: z.object({}) }, text),
    '"argSchema" is not an option of the prompt "b". Did you mean "argsSchema"?',
  ],
  [
    "scopes of a resource",
    () => register("registerResource", "b", "a://b", { scope: ["w"] }, text),
    '"scope" is not an option of the resource "b". Did you mean "scopes"?',
  ],
  [
    "a MIME type of a template",
    () =>
      register("registerResource", "b", new ResourceTemplate("a://{b}"), { mimetype: "a/b" }, text),
    '"mimetype" is not an option of the resource template "b". Did you mean "mimeType"?',
  ],
  [
    "an update",
    () => new McpServer().registerTool("b", {}, text).update({ titel: "B" } as never),
    'Did you mean "title"',
  ],
])("a misspelt name is rejected: %s", (_, make, problem) => {
  expect(make).toThrow(TypeError);
  expect(make).toThrow(problem);
});

it("a server that ignores unknown names drops them", () => {
  const server = new Universal(info, { verbose: true, ignoreUnknown: true } as never);
  const config = { description: "d", category: "c" };
  const { definition } = server.registerTool("b", config, text);
  expect(definition).toEqual({ name: "b", description: "d", inputSchema: expect.anything() });
});

it("members that are undefined are not rejected, whatever their names", () => {
  const config = { inputSchma: undefined };
  expect(register("registerTool", "b", config, text)).toMatchObject({ name: "b" });
});

it.each<[string, object]>([
  ["zod", z.object({ n: z.number() })],
  ["an optional one", z.object({ n: z.number().optional() })],
  ["valibot", toStandardJsonSchema(v.object({ n: v.number() }))],
  ["plain JSON Schema", { type: "object", properties: { n: { type: ["integer", "null"] } } }],
])("an argument of a prompt that does not accept a string is rejected: %s", (_, argsSchema) => {
  const prompt = () => register("registerPrompt", "p", { argsSchema }, text);
  expect(prompt).toThrow('"n" in the argsSchema of "p" does not accept strings');
});

it.each<[string, object]>([
  ["a conversion", z.object({ n: z.coerce.number() })],
  ["a conversion before a check", z.object({ n: z.preprocess(Number, z.number()) })],
  ["a string", z.object({ n: z.email() })],
  ["a choice", z.object({ n: z.enum(["a", "b"]) })],
  ["anything", z.object({ n: z.any() })],
  ["a string or a number", z.object({ n: z.union([z.number(), z.string()]) })],
  ["an optional string", z.object({ n: z.string().nullish() })],
])("an argument of a prompt may be %s", (_, argsSchema) => {
  expect(register("registerPrompt", "p", { argsSchema }, text)).toMatchObject({ name: "p" });
});

it("an item of a method that uses none is refused, with the methods that do", () => {
  const server = new McpServer();
  for (const method of ["tools/list", "tools/cal"]) {
    expect(() => server.registerItem(method as never, {} as never, (() => {}) as never)).toThrow(
      /needs a method that uses an item \((?=.*tools\/call)(?=.*prompts\/get).*\), not tools\//,
    );
  }
});
