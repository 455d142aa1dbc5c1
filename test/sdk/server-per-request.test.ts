import { Client, StreamableHTTPClientTransport } from "@mcp-codegen/sdk/client";
import { NodeStreamableHTTPServerTransport, toNodeHandler } from "@mcp-codegen/sdk/node";
import {
  createMcpHandler,
  McpServer,
  type McpServerFactory,
  Server,
} from "@mcp-codegen/sdk/server";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";

const info = { name: "each", version: "1.0.0" };
const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });

/** Returns options with a function. */
function watched(): object {
  return { onrequestend: () => {} };
}

/** Returns a function that sends requests to a handler at a revision. */
function asking(handler: ReturnType<typeof createMcpHandler>, revision: string) {
  const isStateless = revision === "2026-07-28";
  const meta = {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientInfo": info,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return async (method: string, params: Record<string, unknown> = {}, more: object = {}) => {
    const headers = {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": revision,
      ...(isStateless && { "mcp-method": method }),
      ...(isStateless && params["name"] ? { "mcp-name": String(params["name"]) } : {}),
      ...more,
    };
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: isStateless
        ? { ...params, _meta: { ...meta, ...(params["_meta"] as object) } }
        : params,
    });
    const request = new Request("http://localhost/mcp", { method: "POST", headers, body });
    const response = await handler.fetch(request);
    return (await response.json()) as { result: Record<string, never>; error?: object };
  };
}

function named(name: string, options: object = {}): McpServer {
  const server = new McpServer(info, options);
  server.registerTool("who", { inputSchema: z.object({}) }, () => text(name));
  return server;
}

describe.each(["2026-07-28", "2025-11-25"])("a server for each request of %s", (revision) => {
  const who = { name: "who", arguments: {} };

  it("answers its own request, also while others are in progress", async () => {
    let count = 0;
    const gates: (() => void)[] = [];
    const handler = createMcpHandler(() => {
      const name = `server ${(count += 1)}`;
      const server = new McpServer(info);
      server.registerTool("who", {}, async () => {
        await new Promise<void>((resolve) => gates.push(resolve));
        return text(name);
      });
      return server;
    });
    const ask = asking(handler, revision);
    const answers = ["a", "b", "c"].map(() => ask("tools/call", who));
    await expect.poll(() => gates.length).toBe(3);
    for (const open of gates.toReversed()) open();
    expect((await Promise.all(answers)).map(({ result }) => result)).toMatchObject(
      [1, 2, 3].map((n) => text(`server ${n}`)),
    );
  });

  it("lists its own tools, prompts and resources", async () => {
    let name = "first";
    const handler = createMcpHandler(() => {
      const server = new McpServer(info);
      server.registerTool(name, { description: name }, () => text(name));
      server.registerPrompt(name, {}, () => ({ messages: [] }));
      server.registerResource(name, `test://${name}`, {}, (uri) => ({
        contents: [{ uri: uri.href, text: name }],
      }));
      return server;
    });
    const ask = asking(handler, revision);
    for (const one of ["first", "second", "third"]) {
      name = one;
      expect(await ask("tools/list")).toMatchObject({ result: { tools: [{ name }] } });
      expect(await ask("prompts/list")).toMatchObject({ result: { prompts: [{ name }] } });
      const uri = `test://${name}`;
      const read = await ask("resources/read", { uri }, { "mcp-name": uri });
      expect(read).toMatchObject({ result: { contents: [{ text: name }] } });
    }
    expect(await ask("tools/call", { name: "first", arguments: {} })).toMatchObject({
      error: { code: -32602 },
    });
  });

  it("calls its own handlers of methods, and its own middleware", async () => {
    let count = 0;
    const factory: McpServerFactory = () => {
      const number = (count += 1);
      const server = new Server(info, {
        capabilities: { tools: {} },
        middleware: [async (_call, next) => ({ ...((await next()) as object), by: number })],
      });
      server.setRequestHandler("tools/list", () => ({
        tools: [{ name: `tool${number}`, inputSchema: { type: "object" } }],
      }));
      server.setRequestHandler("acme/count", { params: z.object({}) }, () => ({ count: number }));
      return server;
    };
    const ask = asking(createMcpHandler(factory), revision);
    for (const number of [1, 3]) {
      const listed = await ask("tools/list");
      expect(listed.result).toMatchObject({ by: number, tools: [{ name: `tool${number}` }] });
      const counted = await ask("acme/count");
      expect(counted.result).toMatchObject({ count: number + 1 });
    }
  });

  it("receives the _meta of the program alone, and the rest as the envelope", async () => {
    const own = { "example.com/trace": "t" };
    const seen: unknown[] = [];
    const handler = createMcpHandler(() => {
      const server = new Server(info, { capabilities: { tools: {} } });
      server.setRequestHandler("tools/call", ({ params }, { mcpReq, _meta: meta }) => {
        seen.push(params._meta, mcpReq._meta, meta);
        const { envelope } = mcpReq as { envelope?: object };
        return text(String(envelope && "io.modelcontextprotocol/clientInfo" in envelope));
      });
      return server;
    });
    const { result } = await asking(handler, revision)("tools/call", { ...who, _meta: own });
    expect(result).toMatchObject(text(String(revision === "2026-07-28")));
    expect(seen).toEqual([own, own, own]);
  });

  it("reports errors to its own onerror", async () => {
    const reported: string[] = [];
    let count = 0;
    const handler = createMcpHandler(() => {
      const name = `server ${(count += 1)}`;
      const server = new McpServer(info);
      server.server.onerror = () => reported.push(name);
      server.registerTool("bad", {}, () => 7 as never);
      return server;
    });
    const ask = asking(handler, revision);
    for (let n = 0; n < 3; n += 1) await ask("tools/call", { name: "bad", arguments: {} });
    expect(reported).toEqual(["server 1", "server 2", "server 3"]);
  });

  it("checks header fields against the arguments of its own tools", async () => {
    let header: string | undefined;
    const handler = createMcpHandler(() => {
      const server = new McpServer(info);
      const region =
        header === undefined ? z.string() : z.string().meta({ "x-mcp-header": header });
      server.registerTool("where", { inputSchema: z.object({ region }) }, (args) =>
        text(args.region),
      );
      return server;
    });
    const ask = asking(handler, revision);
    const call = { name: "where", arguments: { region: "eu" } };
    expect(await ask("tools/call", call)).toMatchObject({ result: text("eu") });
    header = "Region";
    const wrong = await ask("tools/call", call, { "mcp-param-region": "us" });
    if (revision === "2026-07-28") expect(wrong.error).toBeDefined();
    else expect(wrong.result).toMatchObject(text("eu"));
    header = undefined;
    expect(await ask("tools/call", call)).toMatchObject({ result: text("eu") });
  });

  it("describes itself with its own instructions", async () => {
    let count = 0;
    const handler = createMcpHandler(() =>
      named("any", { instructions: `You are caller ${(count += 1)}` }),
    );
    const ask = asking(handler, revision);
    const params = { protocolVersion: revision, capabilities: {}, clientInfo: info };
    const open = (): Promise<unknown> =>
      revision === "2026-07-28" ? ask("server/discover") : ask("initialize", params);
    for (const n of [1, 2, 3]) {
      expect(await open()).toMatchObject({ result: { instructions: `You are caller ${n}` } });
    }
  });
});

describe("a server for each request without a session", () => {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: info };

  it("answers initialize and ping with its own handlers, and is notified of the end of the handshake", async () => {
    const ready: number[] = [];
    let count = 0;
    const handler = createMcpHandler(() => {
      const number = (count += 1);
      const server = new Server(info, { capabilities: { tools: {} } });
      server.oninitialized = () => void ready.push(number);
      server.setRequestHandler("initialize", () => ({
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: `server ${number}`, version: "1.0.0" },
      }));
      server.setRequestHandler("ping", () => ({ _meta: { "acme/number": number } }));
      return server;
    });
    const ask = asking(handler, "2025-11-25");
    expect(await ask("initialize", params)).toMatchObject({
      result: { protocolVersion: "2025-06-18", serverInfo: { name: "server 1" } },
    });
    expect(await ask("ping")).toMatchObject({ result: { _meta: { "acme/number": 2 } } });
    const notification = { jsonrpc: "2.0", method: "notifications/initialized" };
    await handler.fetch(
      new Request("http://localhost/mcp", {
        method: "POST",
        headers: {
          accept: "application/json, text/event-stream",
          "content-type": "application/json",
          "mcp-protocol-version": "2025-11-25",
        },
        body: JSON.stringify(notification),
      }),
    );
    await expect.poll(() => ready).toEqual([3]);
  });
});

describe("the tables of servers that a factory creates", () => {
  const context = { era: "modern" as const };

  /** Returns the number of runtime handlers that serve the given servers. */
  async function handlersFor(...servers: (McpServer | Server)[]): Promise<number> {
    const left = [...servers];
    const { handlerFor } = createMcpHandler(() => left.shift()!);
    const all = [];
    for (const _ of servers) all.push(await handlerFor(context, false));
    expect(all.map(({ locals }) => locals)).toEqual(servers.map(({ definition }) => definition));
    return new Set(all.map(({ handler }) => handler)).size;
  }

  it("are bound once for servers that differ in tools, names of tools, and schemas only", async () => {
    const other = named("b");
    other.registerTool("more", { inputSchema: z.object({ n: z.number() }) }, () => text("more"));
    expect(await handlersFor(named("a"), other, named("c"))).toBe(1);
  });

  it("are bound for each server whose capabilities, options or methods are others", async () => {
    const withPrompt = named("a");
    withPrompt.registerPrompt("p", {}, () => ({ messages: [] }));
    const withHandler = named("a");
    withHandler.server.setRequestHandler("resources/list", () => ({ resources: [] }));
    const servers = [
      named("a"),
      named("a", { instructions: "Hello" }),
      named("a", { supportedProtocolVersions: ["2025-06-18"] }),
      named("a", { capabilities: { logging: {} } }),
      named("a", { cacheHints: { "tools/list": { ttlMs: 1000 } } }),
      withPrompt,
      withHandler,
    ];
    expect(await handlersFor(...servers)).toBe(servers.length);
  });

  it("are bound for each server whose options have functions or objects of classes", async () => {
    expect(await handlersFor(named("a", watched()), named("a", watched()))).toBe(2);
  });
});

it("a server for each request answers over node:http, too", async () => {
  let count = 0;
  const handler = createMcpHandler(() => named(`server ${(count += 1)}`));
  const http = createServer((request, response) => {
    void toNodeHandler(handler)(request, response);
  });
  await new Promise<void>((resolve) => void http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void http.close());
  const { port } = http.address() as AddressInfo;
  const client = new Client(info, { versionNegotiation: { mode: "auto" } });
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/`)));
  const before = count;
  for (const n of [1, 2]) {
    const result = await client.callTool({ name: "who", arguments: {} });
    expect(result).toMatchObject(text(`server ${before + n}`));
  }
});

it("subscriptions of a server for each request name resources that only its own handlers know", async () => {
  const uri = "file:///watched.txt";
  const handler = createMcpHandler(() => {
    const server = new Server(info, { capabilities: { resources: { subscribe: true } } });
    server.setRequestHandler("resources/list", () => ({ resources: [] }));
    server.setRequestHandler("resources/subscribe", () => ({}));
    return server;
  });
  const client = new Client(info, { versionNegotiation: { mode: "auto" } });
  onTestFinished(() => client.close());
  const updated = new Promise((resolve) => {
    client.setNotificationHandler("notifications/resources/updated", ({ params }) =>
      resolve(params.uri),
    );
  });
  const ownFetch = (url: string | URL, init?: RequestInit) => handler.fetch(new Request(url, init));
  const url = new URL("http://localhost/mcp");
  await client.connect(new StreamableHTTPClientTransport(url, { fetch: ownFetch }));
  const { honoredFilter } = await client.listen({ resourceSubscriptions: [uri] });
  expect(honoredFilter).toEqual({ resourceSubscriptions: [uri] });
  handler.notify.resourceUpdated(uri);
  expect(await updated).toBe(uri);
});

it("the body that a host passes takes precedence over one that nothing has read", async () => {
  const onServer = new NodeStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = named("server");
  await server.connect(onServer);
  const handle = toNodeHandler(createMcpHandler(named("server")));
  const listed = { jsonrpc: "2.0", id: "given", method: "tools/list", params: {} };
  const http = createServer((request, response) => {
    if (request.url === "/transport") void onServer.handleRequest(request, response, listed);
    else void handle(request, response, listed);
  });
  await new Promise<void>((resolve) => void http.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    http.close();
    await server.close();
  });
  const { port } = http.address() as AddressInfo;
  for (const path of ["transport", "handler"]) {
    const response = await fetch(`http://127.0.0.1:${port}/${path}`, {
      method: "POST",
      headers: {
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-protocol-version": "2025-11-25",
      },
      body: JSON.stringify({ ...listed, id: "sent", method: "ping" }),
    });
    expect(await response.json()).toMatchObject({ id: "given", result: { tools: [{}] } });
  }
});
