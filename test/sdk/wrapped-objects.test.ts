import { PassThrough } from "node:stream";
import { Client } from "@mcp-codegen/sdk/client";
import { InMemoryTransport } from "@mcp-codegen/sdk/core";
import { McpServer, Server } from "@mcp-codegen/sdk/server";
import { serveStdio, StdioServerTransport } from "@mcp-codegen/sdk/server/stdio";
import { describe, expect, it } from "vitest";
import * as z from "zod";

const info = { name: "wrapped", version: "1.0.0" };

/** Ways in which frameworks put an object of their own around one of a library. */
const wraps: [string, <Wrapped extends object>(inner: Wrapped) => Wrapped][] = [
  ["a proxy", (inner) => new Proxy(inner, {})],
  ["an object that inherits from it", (inner) => Object.create(inner) as never],
];

describe.each(wraps)("%s around objects of the package", (_, wrap) => {
  it("works like the objects, from registration to the last call", async () => {
    const server = wrap(new McpServer(info));
    const tool = wrap(server.registerTool("greet", {}, () => ({ content: [] })));
    tool.update({ description: "Greets" });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    const client = wrap(new Client(info));
    await client.connect(near);
    expect(await client.listTools()).toMatchObject({ tools: [{ description: "Greets" }] });
    expect(await client.callTool({ name: "greet" })).toMatchObject({ content: [] });
    expect(client.getServerVersion()).toMatchObject(info);
    expect(server.isConnected()).toBe(true);
    await client.close();
  });

  it("works for servers with handlers by method", async () => {
    const server = wrap(new Server(info, { capabilities: { tools: {} } }));
    server.setRequestHandler("tools/list", () => ({ tools: [] }));
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    const client = new Client(info);
    await client.connect(near);
    expect(await client.listTools()).toMatchObject({ tools: [] });
    await client.close();
  });
});

it("a proxy around a transport carries messages", async () => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await new McpServer(info).connect(new Proxy(far, {}));
  const client = new Client(info);
  await client.connect(new Proxy(near, {}));
  expect(client.getServerVersion()).toMatchObject(info);
  await client.close();
});

it.each(["42", '"text"', "null", "true", "[]", "[1]", "{}"])(
  "a server on standard input survives the line %s (T6)",
  async (line) => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const server = new McpServer(info);
    await server.connect(new StdioServerTransport(input, output));
    input.write(`${line}\n`);
    input.write(`${JSON.stringify({ jsonrpc: "2.0", id: 7, method: "ping" })}\n`);
    let written = "";
    for await (const chunk of output) {
      written += String(chunk);
      if (written.includes('"id":7')) break;
    }
    const answers = written
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text) as object);
    expect(answers.at(-1)).toEqual({ jsonrpc: "2.0", id: 7, result: {} });
    await server.close();
  },
);

/** Handlers by method, which are private in the types of the SDK, too. */
type Handlers = Map<string, (request: object, ctx: unknown) => unknown>;

it("a handler calls the one of the registered tools that it replaces", async () => {
  const server = new McpServer(info);
  server.registerTool(
    "greet",
    { inputSchema: z.object({ name: z.string().default("you") }) },
    ({ name }) => ({ content: [{ type: "text", text: `Hello, ${name}` }] }),
  );
  const handlers = server.server["_requestHandlers"] as unknown as Handlers;
  const inner = handlers.get("tools/call")!;
  expect(handlers.has("tools/list")).toBe(true);
  expect(handlers.get("prompts/get")).toBeUndefined();
  server.server.setRequestHandler("tools/call", (request, ctx) => {
    request.params.arguments ??= {};
    return inner(request, ctx) as never;
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client(info);
  await client.connect(near);
  const text = async (call: { name: string; arguments?: object }) =>
    (await client.callTool(call as never)).content;
  expect(await text({ name: "greet" })).toEqual([{ type: "text", text: "Hello, you" }]);
  const named = { name: "greet", arguments: { name: "Ada" } };
  expect(await text(named)).toEqual([{ type: "text", text: "Hello, Ada" }]);
  handlers.set("tools/call", () => ({ content: [{ type: "text", text: "Other" }] }));
  expect(await text(named)).toEqual([{ type: "text", text: "Other" }]);
  expect(handlers.delete("tools/call")).toBe(true);
  expect(await text(named)).toEqual([{ type: "text", text: "Hello, Ada" }]);
  expect(() => inner({ method: "tools/call", params: named }, {})).toThrow("within a handler");
  await client.close();
});

it("a client learns that no server could be created for it", async () => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const errors: Error[] = [];
  const onerror = (error: Error) => void errors.push(error);
  serveStdio(() => Promise.reject(new Error("secret")), { transport: far, onerror });
  await expect(new Client(info).connect(near)).rejects.toThrow(/Internal server error$/);
  expect(errors).toMatchObject([{ message: "secret" }]);
});
