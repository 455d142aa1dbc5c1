import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createHttpHandler,
  createRouter,
  createSseHandler,
  type HttpHandler,
  type SseHandlerOptions,
} from "../../../runtime/http/server/index.js";
import { listen } from "../../../runtime/http/node/index.js";
import { ACCEPT, EventReader, initialize, tool, type Wire } from "./serve.js";
import { LATEST, ToyServer } from "./toy-server.js";

const ping = (id: number | string) => ({ jsonrpc: "2.0", id, method: "ping" });

type Fetch = (path: string, init?: RequestInit) => Promise<Response>;

const WAYS = [
  {
    way: "node",
    reach: async (routes: Routes): Promise<Fetch> => {
      const { port, close } = await listen(routes);
      onTestFinished(() => close(0));
      return (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init);
    },
  },
  {
    way: "web",
    reach: async (routes: Routes): Promise<Fetch> => {
      const router = createRouter(routes);
      onTestFinished(() => router.close(0));
      return (path, init) => router(new Request(`http://localhost${path}`, init));
    },
  },
];
type Routes = Record<string, HttpHandler>;
type Reach = (routes: Routes) => Promise<Fetch>;

/** A raw client for the older transport. */
class SseClient {
  readonly #fetch: Fetch;
  readonly #headers: Record<string, string>;
  reader!: EventReader;
  endpoint!: string;

  constructor(fetch: Fetch, headers: Record<string, string> = {}) {
    this.#fetch = fetch;
    this.#headers = headers;
  }

  async open(): Promise<this> {
    const headers = { Accept: "text/event-stream", ...this.#headers };
    const response = await this.#fetch("/sse", { headers });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    this.reader = new EventReader(response);
    const { event, data } = (await this.reader.next())!;
    expect(event).toBe("endpoint");
    this.endpoint = data!;
    return this;
  }

  post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return this.#fetch(this.endpoint, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...this.#headers, ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  }

  async call(message: { id: unknown }): Promise<Wire> {
    expect((await this.post(message)).status).toBe(202);
    for (;;) {
      const answer = await this.reader.message();
      if (answer.id === message.id) return answer;
    }
  }

  async initialize(): Promise<this> {
    await this.open();
    await this.call(initialize("2024-11-05"));
    await this.post({ jsonrpc: "2.0", method: "notifications/initialized" });
    return this;
  }
}

async function serve(reach: Reach, options: SseHandlerOptions = {}) {
  const toy = new ToyServer();
  const handler = createSseHandler(toy.server, { onerror: () => {}, ...options });
  const fetch = await reach({ "/sse": handler, "/messages": handler });
  const connect = (headers?: Record<string, string>) => new SseClient(fetch, headers);
  return { toy, handler, fetch, connect };
}

describe.each(WAYS)("HTTP+SSE over $way", ({ reach }) => {
  it("sends its message endpoint, accepts messages there and answers on the stream (SSE-01, SSE-02, SSE-03, SSE-04, SSE-05)", async () => {
    const { connect, handler } = await serve(reach);
    const client = await connect().open();
    expect(client.endpoint).toMatch(/^\/messages\?sessionId=[\x21-\x7e]{32,}$/);
    const { result } = await client.call(initialize("2024-11-05"));
    expect(result.protocolVersion).toBe("2024-11-05");
    const accepted = await client.post(ping("a"));
    expect([accepted.status, await accepted.text()]).toEqual([202, "Accepted"]);
    expect(await client.reader.next()).toEqual({
      event: "message",
      data: '{"jsonrpc":"2.0","id":"a","result":{}}',
    });
    expect(handler.sessions).toBe(1);
    await client.reader.cancel();
    await expect.poll(() => handler.sessions).toBe(0);
  });

  it("keeps sessions apart (I02)", async () => {
    const { connect } = await serve(reach);
    const [first, second] = [await connect().initialize(), await connect().initialize()];
    expect(first.endpoint).not.toBe(second.endpoint);
    await first.post(ping(1));
    expect(await second.call(ping(2))).toMatchObject({ id: 2 });
    expect(await first.reader.message()).toMatchObject({ id: 1 });
    for (const { reader } of [first, second]) await reader.cancel();
  });

  it("carries notifications and requests to the client during a request", async () => {
    const { connect } = await serve(reach);
    const client = await connect().initialize();
    await client.post(tool(1, "ask"));
    const request = await client.reader.message();
    expect(request.method).toBe("roots/list");
    await client.post({ jsonrpc: "2.0", id: request.id, result: { roots: [] } });
    expect((await client.reader.message()).result.content[0].text).toBe('{"roots":[]}');
    await client.reader.cancel();
  });

  it("ends with its stream: running requests are aborted, then it gets 404 (SSE-08, SSE-10)", async () => {
    const { toy, connect } = await serve(reach);
    const client = await connect().initialize();
    await client.post(tool(1, "wait"));
    await client.reader.cancel();
    await expect.poll(() => toy.aborted).toEqual(["tools/call"]);
    expect((await client.post(ping(2))).status).toBe(404);
  });

  it("refuses invalid messages (SSE-10)", async () => {
    const { connect } = await serve(reach, { maxBodyBytes: 500 });
    const client = await connect().initialize();
    expect((await client.post(ping(1), { "Content-Type": "text/plain" })).status).toBe(415);
    expect((await client.post(" ".repeat(501))).status).toBe(413);
    for (const [body, code] of [
      ["{", -32700],
      ["{}", -32600],
      ["[]", -32600],
      ["null", -32600],
    ]) {
      const response = await client.post(body);
      expect(response.status).toBe(400);
      expect((await response.json()).error.code).toBe(code);
    }
    expect(await client.call(ping(1))).toMatchObject({ result: {} });
    await client.reader.cancel();
  });

  it("refuses foreign pages, foreign hosts and other methods (H01, H24, SSE-06)", async () => {
    const { fetch } = await serve(reach);
    const foreign = { Origin: "http://evil.example" };
    for (const method of ["GET", "POST", "OPTIONS"]) {
      expect((await fetch("/sse", { method, headers: foreign })).status).toBe(403);
    }
    const refused = await fetch("/sse", { method: "DELETE" });
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, POST, OPTIONS"]);
  });

  it("belongs to its sender (H08, SSE-07)", async () => {
    const { connect, fetch } = await serve(reach, {
      authenticate: ({ header }) => {
        const principal = header("authorization");
        return principal ? { principal } : { status: 401 };
      },
    });
    expect((await fetch("/sse")).status).toBe(401);
    const client = await connect({ Authorization: "ada" }).initialize();
    expect((await client.post(ping(1), { Authorization: "mallory" })).status).toBe(404);
    expect(await client.call(ping(1))).toMatchObject({ result: {} });
    await client.reader.cancel();
  });

  it("has a limited number of streams (H11)", async () => {
    const { connect, fetch } = await serve(reach, { maxSessions: 1 });
    const client = await connect().initialize();
    const refused = await fetch("/sse");
    expect([refused.status, refused.headers.has("retry-after")]).toEqual([503, true]);
    await client.reader.cancel();
    await expect.poll(async () => (await connect().open()).endpoint).toContain("sessionId");
  });

  it("is kept alive by comments, and ends with the handler (P04)", async () => {
    const { connect, handler } = await serve(reach, { keepAlive: 15 });
    const client = await connect().open();
    const next = client.reader.next();
    await expect.poll(() => client.reader.raw).toContain(": \n\n");
    await handler.close();
    expect(await next).toBeUndefined();
  });

  it("answers pending requests before it ends (P04)", async () => {
    const { connect, handler, toy } = await serve(reach);
    const client = await connect().initialize();
    await client.post(tool(1, "wait"));
    const closed = handler.close(5000);
    expect((await client.post(ping(2))).status).toBe(503);
    toy.gate.open();
    expect((await client.reader.message()).result.content[0].text).toBe("waited");
    expect(await client.reader.next()).toBeUndefined();
    await closed;
  });

  it("works beside Streamable HTTP (SSE-11)", async () => {
    const { server } = new ToyServer();
    const [http, sse] = [createHttpHandler(server), createSseHandler(server)];
    const fetch = await reach({ "/mcp": http, "/sse": sse, "/messages": sse });
    const old = await new SseClient(fetch).initialize();
    const headers = { "Content-Type": "application/json", Accept: ACCEPT };
    const body = JSON.stringify(initialize(LATEST));
    const opened = await fetch("/mcp", { method: "POST", headers, body });
    expect(opened.headers.get("mcp-session-id")).toBeTruthy();
    expect(await old.call(ping(1))).toMatchObject({ result: {} });
    expect((await fetch("/", { method: "POST", headers, body })).status).toBe(404);
    await old.reader.cancel();
  });
});

describe("HTTP+SSE", () => {
  it("rejects an invalid message path", () => {
    const { server } = new ToyServer();
    for (const messagePath of ["messages", "/a b", "/a\nb", "/a?b", "http://x/y"]) {
      expect(() => createSseHandler(server, { messagePath })).toThrow(TypeError);
    }
  });

  it("serves the official client (SSE-03)", async () => {
    const { server } = new ToyServer();
    const sse = createSseHandler(server);
    const { port, close } = await listen({ "/sse": sse, "/messages": sse });
    onTestFinished(() => close(0));
    const client = new Client({ name: "theirs", version: "1" }, { capabilities: { roots: {} } });
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [] }));
    await client.connect(new SSEClientTransport(new URL(`http://127.0.0.1:${port}/sse`)));
    const { content } = await client.callTool({ name: "ask", arguments: {} });
    expect(content).toEqual([{ type: "text", text: '{"roots":[]}' }]);
    await client.close();
    await expect.poll(() => sse.sessions).toBe(0);
  });
});
