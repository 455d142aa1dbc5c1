import { PassThrough } from "node:stream";
import {
  Client,
  InMemoryResponseCacheStore,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from "@mcp-codegen/sdk/client";
import { StdioClientTransport } from "@mcp-codegen/sdk/client/stdio";
import {
  type FetchLike,
  InMemoryTransport,
  type JSONRPCMessage,
  type Transport,
} from "@mcp-codegen/sdk/core";
import {
  createMcpHandler,
  McpServer,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from "@mcp-codegen/sdk/server";
import { StdioServerTransport } from "@mcp-codegen/sdk/server/stdio";
import { createSseHandler, McpServer as Definition } from "@mcp-codegen/universal";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { serverOf } from "../../runtime/sdk/client/open-session.js";
import { subpaths } from "./names/official-names.js";

const info = { name: "wrapped", version: "1.0.0" };

/** The ways in which frameworks wrap a library's object in one of their own. */
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

/** The program of a server that answers its first message, which opens a session. */
const ANSWERS = `process.stdin.once("data", (line) => {
  const { id, params: { protocolVersion } } = JSON.parse(line);
  const result = { protocolVersion, capabilities: {}, serverInfo: ${JSON.stringify(info)} };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
})`;

const url = new URL("http://localhost/mcp");

/** Client transports that reach a server, by the classes that are wrapped. */
const transports: [string, (wrap: (typeof wraps)[0][1]) => Transport | Promise<Transport>][] = [
  [
    "InMemoryTransport",
    async (wrap) => {
      const [near, far] = InMemoryTransport.createLinkedPair();
      await new McpServer(info).connect(wrap(far));
      return wrap(near);
    },
  ],
  [
    "StdioServerTransport",
    async (wrap) => {
      const [there, back] = [new PassThrough(), new PassThrough()];
      await new McpServer(info).connect(wrap(new StdioServerTransport(there, back)));
      return new StdioServerTransport(back, there);
    },
  ],
  [
    "StdioClientTransport",
    (wrap) => wrap(new StdioClientTransport({ command: process.execPath, args: ["-e", ANSWERS] })),
  ],
  [
    "StreamableHTTPClientTransport and WebStandardStreamableHTTPServerTransport",
    async (wrap) => {
      const options = { sessionIdGenerator: () => "one" };
      const server = wrap(new WebStandardStreamableHTTPServerTransport(options));
      await new McpServer(info).connect(server);
      const fetch: FetchLike = (to, init) => server.handleRequest(new Request(to, init));
      return wrap(new StreamableHTTPClientTransport(url, { fetch }));
    },
  ],
  [
    "SSEClientTransport",
    (wrap) => {
      const handler = createSseHandler(new Definition(info));
      const fetch: FetchLike = async (to, init) => handler(new Request(to, init));
      return wrap(new SSEClientTransport(new URL("/sse", url), { fetch }));
    },
  ],
];

describe.each(wraps)("%s around transports and stores", (_, wrap) => {
  it.each(transports)("carries messages: %s", async (_classes, create) => {
    const client = new Client(info);
    await client.connect(await create(wrap));
    expect(client.getServerVersion()).toMatchObject(info);
    await client.close();
  });

  it("keeps the URL of the server, which separates the entries of a shared cache", () => {
    expect(serverOf(wrap(new StreamableHTTPClientTransport(url)))).toBe(url.href);
  });

  it("stores results", () => {
    const store = wrap(new InMemoryResponseCacheStore());
    store.set({ method: "tools/list" }, { value: "{}" });
    expect(store.get({ method: "tools/list" })).toMatchObject({ value: "{}" });
    expect(store.size).toBe(1);
  });
});

it("a class or a proxy that replaces `send` sees each message", async () => {
  const sent: unknown[] = [];
  class Recorded extends StreamableHTTPClientTransport {
    override async send(message: JSONRPCMessage): Promise<void> {
      sent.push(["class", "method" in message && message.method]);
      await super.send(message);
    }
  }
  const recording: ProxyHandler<Recorded> = {
    get(target, name) {
      if (name !== "send") return Reflect.get(target, name) as unknown;
      return (message: JSONRPCMessage) => {
        sent.push(["proxy", "method" in message && message.method]);
        return target.send(message);
      };
    },
  };
  const handler = createMcpHandler(() => new McpServer(info));
  const fetch: FetchLike = (to, init) => handler.fetch(new Request(to, init));
  const client = new Client(info, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await client.connect(new Proxy(new Recorded(url, { fetch }), recording));
  expect(sent).toEqual(["proxy", "class"].map((one) => [one, "server/discover"]));
  await client.close();
});

it.each(subpaths)("no class of %s has members that are private at run time", async (subpath) => {
  const names = (await import(/* @vite-ignore */ `@mcp-codegen/sdk/${subpath}`)) as object;
  const classes = Object.values(names).flatMap((value: unknown) => {
    const chain: unknown[] = [];
    for (let one = value; typeof one === "function"; one = Object.getPrototypeOf(one))
      chain.push(one);
    return chain;
  });
  const hidden = classes.filter((one) => /^class\b[^]*[.\s]#\w/.test(String(one)));
  expect(hidden.map((one) => (one as { name: string }).name)).toEqual([]);
});

/** The handlers by method, which are also private in the SDK's types. */
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
