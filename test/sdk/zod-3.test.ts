import { Client as OfficialClient } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as OfficialTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { completable as officialCompletable } from "@modelcontextprotocol/sdk/server/completable.js";
import { McpServer as OfficialServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { Client } from "@mcp-codegen/sdk/client/index.js";
import { InMemoryTransport } from "@mcp-codegen/sdk/inMemory.js";
import { completable } from "@mcp-codegen/sdk/server/completable.js";
import { McpServer as ServerOfVersion2 } from "@mcp-codegen/sdk/server";
import { McpServer } from "@mcp-codegen/sdk/server/mcp.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { z, ZodFirstPartyTypeKind as kinds } from "zod/v3";
import { ZodFirstPartyTypeKind as ours } from "../../runtime/sdk/server/schemas/zod-3-kinds.js";

/** The argument schemas, by tool name. */
const objects = {
  plain: z.object({ city: z.string().describe("Town"), days: z.number().int().min(1).max(7) }),
  strict: z.object({ a: z.string() }).strict(),
  open: z.object({ a: z.string() }).passthrough(),
  others: z.object({ a: z.string() }).catchall(z.number()),
  transformed: z.object({ n: z.string().transform(Number).pipe(z.number()) }),
  tuple: z.object({ pair: z.tuple([z.string(), z.number()]) }),
  texts: z.object({ mail: z.string().email(), at: z.string().datetime(), id: z.string().uuid() }),
  choices: z.object({
    kind: z.enum(["a", "b"]),
    either: z.union([z.string(), z.null()]),
    shape: z.discriminatedUnion("type", [
      z.object({ type: z.literal("circle"), r: z.number() }),
      z.object({ type: z.literal("square"), side: z.number() }),
    ]),
  }),
};
const address = z.object({ street: z.string() });
const shapes = {
  shape: { city: z.string(), days: z.number().default(3), unit: z.enum(["C", "F"]).optional() },
  twice: { from: address, to: address },
  nested: { list: z.array(z.object({ name: z.string().nullable() })), map: z.record(z.number()) },
};

type Server = InstanceType<typeof OfficialServer>;

const echo = (args: object) => ({
  content: [{ type: "text" as const, text: JSON.stringify(args) }],
});

/** Registers tools as a program of version 1 does. */
function program(server: Server, complete: typeof officialCompletable): void {
  for (const [name, inputSchema] of Object.entries(objects))
    server.registerTool(name, { inputSchema }, echo as never);
  for (const [name, inputSchema] of Object.entries(shapes))
    server.registerTool(name, { inputSchema }, echo as never);
  server.tool("old", "An old one", shapes.shape, echo);
  server.tool("annotated", shapes.shape, { readOnlyHint: true }, echo);
  server.registerTool(
    "sum",
    { inputSchema: { a: z.number(), b: z.number() }, outputSchema: { sum: z.number() } },
    ({ a, b }) => ({
      content: [{ type: "text", text: "the sum" }],
      structuredContent: { sum: a + b },
    }),
  );
  server.registerTool("wrong", { outputSchema: { sum: z.number() } }, () => ({
    content: [],
    structuredContent: { sum: "three" },
  }));
  server.registerTool(
    "refined",
    { inputSchema: { a: z.string().refine(async (a) => a !== "no", "not this one") } },
    echo,
  );
  server
    .registerTool("updated", { inputSchema: { a: z.string() } }, echo)
    .update({ paramsSchema: { b: z.number() } });
  server.prompt(
    "greet",
    "Greets",
    {
      name: complete(z.string().describe("Whom"), (value) =>
        ["ada", "alan"].filter((one) => one.startsWith(value)),
      ),
      tone: complete(z.string().optional(), () => ["warm"]),
    },
    ({ name, tone }) => ({
      messages: [{ role: "user", content: { type: "text", text: `${name} ${tone}` } }],
    }),
  );
}

async function theirs() {
  const server = new OfficialServer({ name: "zod", version: "1.0.0" });
  program(server, officialCompletable);
  const client = new OfficialClient({ name: "zod", version: "1.0.0" });
  const [near, far] = OfficialTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  onTestFinished(() => client.close());
  return client;
}

async function moved() {
  const server = new McpServer({ name: "zod", version: "1.0.0" });
  program(server as never, completable as never);
  const client = new Client({ name: "zod", version: "1.0.0" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  onTestFinished(() => client.close());
  return client as unknown as OfficialClient;
}

const both = async () => [await moved(), await theirs()] as const;

const named = async (client: OfficialClient) =>
  (await client.listTools()).tools.map(({ name, inputSchema, outputSchema, annotations }) => ({
    name,
    inputSchema,
    outputSchema,
    annotations,
  }));

describe("a server of version 1 with schemas of zod 3", () => {
  it("lists them in the same way as the SDK", async () => {
    const [mine, official] = await both();
    expect(await named(mine)).toEqual(await named(official));
    expect(await mine.listPrompts()).toEqual(await official.listPrompts());
  });

  it.each([
    ["plain", { city: "Bern", days: 2, more: true }],
    ["strict", { a: "x" }],
    ["open", { a: "x", more: 1 }],
    ["others", { a: "x", more: 1 }],
    ["transformed", { n: "12" }],
    ["tuple", { pair: ["x", 1] }],
    ["choices", { kind: "a", either: null, shape: { type: "circle", r: 1 } }],
    ["shape", { city: "Bern", more: 1 }],
    ["shape", { city: "Bern", unit: undefined }],
    ["twice", { from: { street: "a" }, to: { street: "b", more: 1 } }],
    ["nested", { list: [{ name: null }], map: { a: 1 } }],
    ["old", { city: "Bern", days: 1 }],
    ["annotated", { city: "Bern" }],
    ["sum", { a: 1, b: 2 }],
    ["refined", { a: "yes" }],
    ["updated", { b: 1 }],
  ])("passes to the handler of %s what the schema parses from %j", async (name, args) => {
    const [mine, official] = await both();
    const result = await mine.callTool({ name, arguments: args });
    expect(result).toEqual(await official.callTool({ name, arguments: args }));
    expect(result).not.toHaveProperty("isError");
  });

  it.each([
    ["plain", { city: "Bern", days: 20 }, "days"],
    ["strict", { a: "x", more: 1 }, "more"],
    ["tuple", { pair: ["x", "y"] }, "pair"],
    ["shape", {}, "city"],
    ["twice", { from: { street: 1 }, to: { street: "b" } }, "street"],
    ["refined", { a: "no" }, "not this one"],
    ["updated", { a: "x" }, "b"],
    ["wrong", {}, "sum"],
  ])("lets the model read why %s rejects %j", async (name, args, word) => {
    const clients = await both();
    const text = expect.stringContaining(word) as string;
    for (const client of clients)
      expect(await client.callTool({ name, arguments: args })).toMatchObject({
        isError: true,
        content: [{ type: "text", text }],
      });
  });

  it("renders prompts, and completes their arguments", async () => {
    for (const client of await both()) {
      const { messages } = await client.getPrompt({ name: "greet", arguments: { name: "ada" } });
      expect(messages[0]?.content).toEqual({ type: "text", text: "ada undefined" });
      const complete = async (name: string, value: string) => {
        const ref = { type: "ref/prompt" as const, name: "greet" };
        return (await client.complete({ ref, argument: { name, value } })).completion.values;
      };
      expect(await complete("name", "al")).toEqual(["alan"]);
      expect(await complete("tone", "")).toEqual(["warm"]);
    }
  });
});

describe("schemas of zod 3", () => {
  it("include all known kinds", () => {
    expect(ours).toEqual(kinds);
  });

  it("are rejected with advice at version 2, as by the SDK", () => {
    const server = new ServerOfVersion2({ name: "zod", version: "1.0.0" });
    const config = { inputSchema: z.object({ a: z.string() }) };
    expect(() => server.registerTool("plain", config, () => ({ content: [] }))).toThrow(/zod 4/);
  });
});
