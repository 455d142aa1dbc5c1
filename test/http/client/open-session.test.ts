import { describe, expect, it } from "vitest";
import {
  connect,
  type McpClient,
  McpServer,
  type Resumption,
} from "../../../generated/universal/index.js";
import { createHttpHandler } from "../../../runtime/http/server/index.js";
import { MemoryEventStore } from "../../../runtime/http/server/sharing/index.js";
import { HttpClientTransport } from "../../../runtime/http/client/index.js";
import { listen } from "../../../runtime/http/node/index.js";
import { revisions } from "../../../generated/universal/revisions.js";
import { deferred } from "../../engine/support/tiny-endpoints.js";
import { closeAfter, until } from "./support/clients.js";

interface Reached {
  readonly url: string;
  /** The tool's calls. */
  readonly calls: number[];
  release(): void;
}

function transportWith(session: object): HttpClientTransport {
  return new HttpClientTransport("http://127.0.0.1:9/", { session: session as never });
}

function fail(): never {
  throw new Error("own mistake");
}

async function serve(): Promise<Reached> {
  const { promise: released, resolve: release } = deferred<void>();
  const calls: number[] = [];
  const server = new McpServer({ name: "slow", version: "1.0.0" });
  server.registerTool("work", {}, async (ctx) => {
    calls.push(calls.length);
    ctx.progress(1);
    await released;
    ctx.progress(2);
    return "done";
  });
  const handler = createHttpHandler(server, { eventStore: new MemoryEventStore() });
  const { url } = closeAfter(await listen({ "/mcp": handler }));
  return { url: url.endsWith("/mcp") ? url : new URL("/mcp", url).href, calls, release };
}

const sessions = revisions.filter(({ id }) => id === "2025-11-25");

async function client(url: string, session?: McpClient["session"]): Promise<McpClient> {
  const http = { endSession: false, ...(session ? { session } : {}) };
  return closeAfter(await connect(url, { revisions: sessions, http, onerror: () => {} }));
}

const text = "done";

describe("a session that was opened over another connection", () => {
  it("continues without a handshake, knows its server, and receives its notifications", async () => {
    const { url } = await serve();
    const first = await client(url);
    const kept = JSON.parse(JSON.stringify(first.session)) as McpClient["session"];
    await first.close();
    const second = await client(url, kept);
    expect(second.session).toEqual(first.session);
    expect(second.revision).toBe("2025-11-25");
    expect(second.server).toMatchObject({ info: { name: "slow" }, capabilities: { tools: {} } });
    expect((await second.listTools()).tools.map(({ name }) => name)).toEqual(["work"]);
  });

  it("closes the connection if the server no longer has the session", async () => {
    const { url } = await serve();
    const { session } = await client(url);
    const other = await client(url, { ...session!, id: "0123456789abcdef" });
    await expect(other.listTools()).rejects.toThrow(/ended the session/);
    await other.closed;
  });

  it("is rejected if it is invalid, or has a revision that the client does not support", async () => {
    const server = { capabilities: {} };
    const nameless = { id: "a b", revision: "2025-11-25", server };
    expect(() => transportWith(nameless)).toThrow(/of a client/);
    expect(() => transportWith({ id: "a", revision: "2025-11-25" })).toThrow(/of a client/);
    const foreign = transportWith({ id: "a", revision: "2025-03-26", server });
    await expect(connect(foreign, { revisions: sessions })).rejects.toThrow(/2025-03-26/);
  });
});

/** Closes a client while it waits, and returns the last token that it had. */
async function lost({ url, calls }: Reached): Promise<[string, McpClient["session"]]> {
  const tokens: string[] = [];
  const first = await client(url);
  const { session } = first;
  const resumption: Resumption = { ontoken: (token) => void tokens.push(token) };
  const notified: number[] = [];
  const answer = first.callTool("work", undefined, {
    resumption,
    onprogress: ({ progress }) => void notified.push(progress),
  });
  const failed = expect(answer).rejects.toThrow();
  await until(() => calls.length === 1 && notified.length === 1);
  await first.close();
  await failed;
  return [tokens.at(-1)!, session];
}

describe("a request whose connection was lost", () => {
  it("is answered over another connection, and runs only once", async () => {
    const server = await serve();
    const [token, session] = await lost(server);
    const second = await client(server.url, session);
    // The two connections use different ids, yet the answer finds its request.
    await second.listTools();
    const notified: number[] = [];
    const tokens: string[] = [];
    const answer = second.callTool("work", undefined, {
      resumption: { token, ontoken: (one) => void tokens.push(one) },
      onprogress: ({ progress }) => void notified.push(progress),
    });
    server.release();
    expect(await answer).toMatchObject({ content: [{ text }] });
    expect(server.calls).toHaveLength(1);
    expect(notified).toEqual([2]);
    expect(tokens.length).toBeGreaterThan(0);
    expect(tokens).not.toContain(token);
  });

  it("rejects when the server has forgotten it", async () => {
    const server = await serve();
    const [, session] = await lost(server);
    const second = await client(server.url, session);
    const resumption = { token: "nothing-7" };
    await expect(second.callTool("work", undefined, { resumption })).rejects.toThrow(
      /could not be resumed/,
    );
    expect(server.calls).toHaveLength(1);
  });

  it("is not sent again if nothing can be resumed", async () => {
    const { url, calls } = await serve();
    const stateless = closeAfter(await connect(url, { onerror: () => {} }));
    expect(stateless.era).toBe("stateless");
    const requested = stateless.callTool("work", undefined, { resumption: { token: "a-1" } });
    await expect(requested).rejects.toThrow(/resumption.token is for sessions/);
    expect(calls).toEqual([]);
  });

  it("is not affected by a callback that throws", async () => {
    const { url, release } = await serve();
    const one = await client(url);
    release();
    expect(await one.callTool("work", undefined, { resumption: { ontoken: fail } })).toMatchObject({
      content: [{ text }],
    });
  });
});
