import { randomUUID } from "node:crypto";
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@mcp-codegen/sdk/client";
import { NodeStreamableHTTPServerTransport } from "@mcp-codegen/sdk/node";
import {
  McpServer,
  WebStandardStreamableHTTPServerTransport as WebTransport,
} from "@mcp-codegen/sdk/server";
import {
  Client as OfficialClient,
  StreamableHTTPClientTransport as OfficialClientTransport,
} from "@modelcontextprotocol/client";
import { NodeStreamableHTTPServerTransport as OfficialTransport } from "@modelcontextprotocol/node";
import { McpServer as OfficialServer } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, it } from "vitest";
import { deferred } from "../engine/support/tiny-endpoints.js";

/* eslint-disable @typescript-eslint/no-explicit-any -- one program for the classes of both */

interface Stored {
  readonly stream: string;
  readonly message: unknown;
}

class EventStore {
  readonly #events = new Map<string, Stored>();

  async storeEvent(stream: string, message: unknown): Promise<string> {
    const id = `${stream}_${this.#events.size}`;
    this.#events.set(id, { stream, message });
    return id;
  }

  has(id: string): boolean {
    return this.#events.has(id);
  }

  async replayEventsAfter(
    last: string,
    { send }: { send: (id: string, message: any) => Promise<void> },
  ): Promise<string> {
    const stream = this.#events.get(last)?.stream ?? "";
    let isAfter = false;
    for (const [id, event] of this.#events) {
      if (isAfter && event.stream === stream) await send(id, event.message);
      isAfter ||= id === last;
    }
    return stream;
  }
}

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** Starts a server whose tool reports progress and then waits until it is released. */
async function serve(Server: any, Transport: any) {
  const calls: string[] = [];
  const { promise: released, resolve: release } = deferred<void>();
  const eventStore = new EventStore();
  const transports = new Map<string, any>();
  const newServer = (): any => {
    const server = new Server(
      { name: "slow", version: "1.0.0" },
      { capabilities: { logging: {} } },
    );
    server.registerTool("work", { description: "Works" }, async (ctx: any) => {
      calls.push("work");
      await ctx.mcpReq.notify({
        method: "notifications/message",
        params: { level: "info", data: "begun" },
      });
      await released;
      return { content: [{ type: "text", text: "done" }] };
    });
    return server;
  };
  const http: HttpServer = createServer((request, response) => {
    const id = request.headers["mcp-session-id"];
    const known = transports.get(String(id));
    if (known) return void known.handleRequest(request, response);
    if (id !== undefined) return void response.writeHead(404).end();
    const transport = new Transport({
      sessionIdGenerator: () => randomUUID(),
      eventStore,
      onsessioninitialized: (one: string) => void transports.set(one, transport),
    });
    void newServer()
      .connect(transport)
      .then(() => transport.handleRequest(request, response));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  closing.push(async () => {
    http.closeAllConnections();
    http.close();
  });
  const { port } = http.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${port}/mcp`), calls, eventStore, release };
}

const servers = [
  ["the official server", OfficialServer, OfficialTransport],
  ["a migrated server", McpServer, NodeStreamableHTTPServerTransport],
] as const;
const clients = [
  ["the official client", OfficialClient, OfficialClientTransport],
  ["a migrated client", Client, StreamableHTTPClientTransport],
] as const;
const pairs = servers.flatMap((server) => clients.map((client) => ({ server, client })));

describe.each(pairs)("$client.0 and $server.0", ({ server, client }) => {
  const [, Server, ServerTransport] = server;
  const [, Side, Transport] = client as readonly [string, any, any];

  it("continue a session and a call after an event of the store, over another connection", async () => {
    const { url, calls, eventStore, release } = await serve(Server, ServerTransport);
    const tokens: string[] = [];
    const onresumptiontoken = (one: string): void => void tokens.push(one);
    const first = new Side({ name: "resuming", version: "1.0.0" });
    const begun = deferred<void>();
    first.setNotificationHandler("notifications/message", () => begun.resolve());
    const before = new Transport(url);
    await first.connect(before);
    const { sessionId } = before;
    const protocolVersion = first.getNegotiatedProtocolVersion();
    const lost = first
      .callTool({ name: "work", arguments: {} }, { onresumptiontoken })
      .catch((error: Error) => error);
    await begun.promise;
    await expect.poll(() => tokens).not.toEqual([]);
    const token = tokens.at(-1);
    expect(eventStore.has(token!)).toBe(true);
    await first.close();
    expect(await lost).toBeInstanceOf(Error);

    const second = new Side({ name: "resuming", version: "1.0.0" });
    closing.push(() => second.close());
    await second.connect(new Transport(url, { sessionId, protocolVersion }));
    expect(second.getServerCapabilities()).toBeUndefined();
    const { tools } = await second.listTools();
    expect(tools).toHaveLength(second.getServerCapabilities() ? 1 : tools.length);
    const options = { resumptionToken: token, onresumptiontoken };
    const answer = second.callTool({ name: "work", arguments: {} }, options);
    release();
    expect(await answer).toMatchObject({ content: [{ text: "done" }] });
    expect(calls).toEqual(["work"]);
  });
});

describe("a session of a migrated client", () => {
  it("is remembered by its client, which knows the server when it reconnects", async () => {
    const { url } = await serve(McpServer, NodeStreamableHTTPServerTransport);
    const client = new Client({ name: "back", version: "1.0.0" });
    const before = new StreamableHTTPClientTransport(url);
    await client.connect(before);
    const { sessionId } = before;
    const capabilities = client.getServerCapabilities();
    await client.close();
    await client.connect(new StreamableHTTPClientTransport(url, { sessionId }));
    expect(client.getServerCapabilities()).toEqual(capabilities);
    expect(client.transport?.sessionId).toBe(sessionId);
    await client.ping();
    await client.close();
  });

  it("has no id after it was ended", async () => {
    const { url } = await serve(McpServer, NodeStreamableHTTPServerTransport);
    const client = new Client({ name: "ending", version: "1.0.0" });
    const transport = new StreamableHTTPClientTransport(url);
    await client.connect(transport);
    expect(transport.sessionId).toBeDefined();
    await transport.terminateSession();
    expect(transport.sessionId).toBeUndefined();
  });
});

async function refusal(response: Promise<Response>): Promise<unknown[]> {
  const { error } = await (await response).json();
  return [(await response).status, error.code, error.message];
}

describe("a web transport with a store", () => {
  const post = {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
  };

  async function open() {
    const eventStore = new EventStore();
    const server = new McpServer({ name: "raw", version: "1.0.0" });
    const closed = deferred<void>();
    server.registerTool("cut", { description: "Cuts the streams" }, async (ctx: any) => {
      ctx.http.closeStandaloneSSE();
      ctx.http.closeSSE();
      await closed.promise;
      return { content: [{ type: "text", text: "after" }] };
    });
    const transport = new WebTransport({ sessionIdGenerator: () => "session-1", eventStore });
    const errors: string[] = [];
    transport.onerror = ({ message }) => void errors.push(message);
    await server.connect(transport);
    closing.push(() => server.close());
    const send = (method: string, headers: object, body?: object) =>
      transport.handleRequest(
        new Request("http://localhost/mcp", {
          method,
          headers: { ...headers } as Record<string, string>,
          ...(body ? { body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }) } : {}),
        }),
      );
    const clientInfo = { name: "raw", version: "1.0.0" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    const opened = await send("POST", post, { method: "initialize", params });
    await opened.text();
    return {
      send,
      eventStore,
      errors,
      release: () => closed.resolve(),
      session: { "mcp-session-id": "session-1" },
    };
  }

  it("ends both streams for a handler, and continues a call of a client that never confirmed initialize", async () => {
    const { send, eventStore, release, session } = await open();
    const standalone = await send("GET", { ...session, accept: "text/event-stream" });
    const call = { method: "tools/call", params: { name: "cut", arguments: {} }, id: 2 };
    const response = await send("POST", { ...session, ...post }, call);
    const id = /^id: (.+)$/m.exec(await response.text())![1]!;
    expect(eventStore.has(id)).toBe(true);
    expect(await standalone.text()).toBe("");
    const last = { "last-event-id": id };
    const resumed = await send("GET", { ...session, ...last, accept: "text/event-stream" });
    release();
    const lines = (await resumed.text()).trim().split("\n");
    expect(lines.map((line) => line.split(":")[0])).toEqual(["event", "id", "data"]);
    expect(JSON.parse(lines[2]!.slice(6))).toMatchObject({
      id: 2,
      result: { content: [{ text: "after" }] },
    });
  });

  it("refuses requests with the codes and texts of the SDK, and reports them", async () => {
    const { send, errors, session } = await open();
    expect(await refusal(send("PUT", session))).toEqual([405, -32000, "Method not allowed."]);
    expect(await refusal(send("POST", post, { method: "ping" }))).toEqual([
      400,
      -32000,
      "Bad Request: Mcp-Session-Id header is required",
    ]);
    expect(
      await refusal(send("POST", { ...post, "mcp-session-id": "other" }, { method: "ping" })),
    ).toEqual([404, -32001, "Session not found"]);
    expect(await refusal(send("GET", { ...session, accept: "text/plain" }))).toEqual([
      406,
      -32000,
      "Not Acceptable: Client must accept text/event-stream",
    ]);
    expect(errors).toEqual([
      "Method not allowed.",
      "Bad Request: Mcp-Session-Id header is required",
      "Session not found",
      "Not Acceptable: Client must accept text/event-stream",
    ]);
  });
});
