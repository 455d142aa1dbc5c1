import { createHttpHandler, McpServer as NativeServer } from "@mcp-codegen/universal";
import { McpServer, WebStandardStreamableHTTPServerTransport } from "@mcp-codegen/sdk/server";
import { Server } from "@mcp-codegen/sdk/server/index.js";
import { Client } from "@mcp-codegen/sdk/client";
import { InMemoryTransport } from "@mcp-codegen/sdk/inMemory.js";
import { describe, expect, it, onTestFinished } from "vitest";

const info = { name: "answers", version: "1.0.0" };
const TYPE = "application/json, text/event-stream";

function opening(fill = ""): { request: Request; body: unknown } {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: info };
  const body = { jsonrpc: "2.0", id: 1, method: "initialize", params: { ...params, fill } };
  const text = JSON.stringify(body);
  const headers = {
    "content-type": "application/json",
    accept: TYPE,
    "content-length": String(text.length),
  };
  const request = new Request("http://127.0.0.1/mcp", { method: "POST", body: text, headers });
  return { request, body };
}

const typeOf = (response: Response) => response.headers.get("content-type");

describe("HTTP responses", () => {
  it.each([
    ["auto", "application/json"],
    ["events", "text/event-stream"],
    ["json", "application/json"],
  ] as const)("have the form that `responses` sets: %s", async (responses, type) => {
    const handler = createHttpHandler(new NativeServer(info), { responses, allowedHosts: "any" });
    onTestFinished(() => handler.close(0));
    const response = await handler(opening().request);
    expect([response.status, typeOf(response)]).toEqual([200, type]);
  });

  it.each([
    [undefined, "text/event-stream"],
    [true, "application/json"],
  ])("are streams in sessions of the SDK, unless enableJsonResponse is %s", async (json, type) => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      enableJsonResponse: json,
    });
    await new McpServer(info).connect(transport);
    onTestFinished(() => transport.close());
    expect(typeOf(await transport.handleRequest(opening().request))).toBe(type);
  });

  it.each([
    [undefined, 413],
    [Infinity, 200],
  ])(
    "are possible for a body that was read before: at most %s bytes",
    async (maxParsedBodyBytes, status) => {
      const options = { allowedHosts: "any", maxParsedBodyBytes } as const;
      const handler = createHttpHandler(new NativeServer(info), options);
      onTestFinished(() => handler.close(0));
      const { request, body } = opening("x".repeat(5_000_000));
      expect((await handler(request, { body })).status).toBe(status);
    },
  );
});

describe("a low-level server", () => {
  it("turns errors of a tools/call handler into an error response", async () => {
    const server = new Server(info, { capabilities: { tools: {} } });
    server.setRequestHandler("tools/call", () => {
      throw new Error("no such project");
    });
    const client = new Client(info);
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    await client.connect(near);
    onTestFinished(() => client.close());
    await expect(client.callTool({ name: "any" })).rejects.toThrow("no such project");
  });
});

describe("a client", () => {
  it.each(["2026-07-28", "2025-11-25"])(
    "pinned to %s connects whatever handlers it has, and receives progress for its own tokens",
    async (pin) => {
      const server = new McpServer(info);
      server.registerTool("tells", {}, async (ctx) => {
        const { _meta: meta } = ctx.mcpReq;
        const { progressToken = "none" } = meta ?? {};
        const params = { progressToken, progress: 1 };
        await ctx.mcpReq.notify({ method: "notifications/progress", params });
        return { content: [] };
      });
      const client = new Client(info, { versionNegotiation: { mode: { pin } } });
      const tokens: unknown[] = [];
      client.setNotificationHandler("notifications/elicitation/complete", () => undefined);
      client.setNotificationHandler("notifications/progress", ({ params }) => {
        tokens.push(params.progressToken);
      });
      const [near, far] = InMemoryTransport.createLinkedPair();
      await server.connect(far);
      await client.connect(near);
      onTestFinished(() => client.close());
      await client.request({
        method: "tools/call",
        params: { name: "tells", arguments: {}, _meta: { progressToken: "my own" } },
      });
      expect(tokens).toEqual(["my own"]);
    },
  );
});
