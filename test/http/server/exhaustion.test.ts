import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHttpHandler, createSseHandler } from "../../../runtime/http/server/index.js";
import { initialize, RawClient, serve, tool, WAYS } from "./serve.js";
import { listen, toNodeListener } from "../../../runtime/http/node/index.js";
import { ToyServer } from "./toy-server.js";

const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" });

function introduction(size: number): string {
  const message = initialize("2025-11-25");
  message.params.clientInfo.title = "x".repeat(size);
  return JSON.stringify(message);
}

describe.each(WAYS)("the memory that clients can occupy, over $way", ({ reach }) => {
  it("is small for a session: a long initialize gets 413", async () => {
    const client = await serve(new ToyServer().server, {}, reach);
    const refused = await client.post(introduction(64 * 1024));
    expect(refused.status).toBe(413);
    expect((await refused.json()).error.message).toContain("maxInitializeBytes");
    expect((await client.post(introduction(60 * 1024))).status).toBe(200);
    const lavish = await serve(new ToyServer().server, { maxInitializeBytes: 1e6 }, reach);
    expect((await lavish.post(introduction(500_000))).status).toBe(200);
  });

  it("allows stateless requests of any permitted length", async () => {
    const client = await serve(new ToyServer().server, { sessions: false }, reach);
    client.headers["MCP-Protocol-Version"] = "2025-11-25";
    const text = "x".repeat(100_000);
    const { result } = await client.call(1, "tools/call", { name: "echo", arguments: { text } });
    expect(result.content[0].text).toBe(text);
  });

  it("is limited for bodies being read, per session and in total", async () => {
    const toy = new ToyServer();
    const limits = { maxBytesUnderWayPerSession: 25_000, maxBytesUnderWay: 35_000 };
    const client = await serve(toy.server, limits, reach);
    const other = new RawClient(client.reached);
    await client.initialize("2025-11-25");
    await other.initialize("2025-11-25");
    const pad = "x".repeat(10_000);
    const running = [client.post(tool(1, "wait", { pad })), client.post(tool(2, "wait", { pad }))];
    await expect.poll(() => toy.called).toHaveLength(2);
    const refused = await client.post(tool(3, "wait", { pad }));
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    running.push(other.post(tool(1, "wait", { pad })));
    await expect.poll(() => toy.called).toHaveLength(3);
    expect((await other.post(tool(2, "wait", { pad }))).status).toBe(503);
    expect((await other.post(ping(3))).status).toBe(200);
    toy.gate.open();
    for (const response of await Promise.all(running)) expect(response.status).toBe(200);
    expect((await client.post(tool(4, "echo", { pad }))).status).toBe(200);
  });

  it("is freed when a sessionless request ends whose client has disconnected (HTTP-17)", async () => {
    const toy = new ToyServer();
    const client = await serve(toy.server, { sessions: false, maxRequests: 1 }, reach);
    client.headers["MCP-Protocol-Version"] = "2025-11-25";
    const abort = new AbortController();
    client.post(tool(1, "wait"), {}, { signal: abort.signal }).catch(() => {});
    await expect.poll(() => toy.called).toEqual(["wait"]);
    abort.abort();
    expect((await client.post(tool(2, "echo"))).status).toBe(503);
    toy.gate.open();
    await expect.poll(async () => (await client.post(tool(3, "echo"))).status).toBe(200);
    expect(toy.aborted).toEqual([]);
  });

  it("does not keep the session of a request whose client has disconnected", async () => {
    const toy = new ToyServer();
    const client = await serve(toy.server, { sessionTtl: 200 }, reach);
    await client.initialize("2025-11-25");
    const abort = new AbortController();
    const dropped = client.post(tool(1, "wait"), {}, { signal: abort.signal }).catch(() => {});
    await expect.poll(() => toy.called).toEqual(["wait"]);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(client.reached.handler.sessions).toBe(1);
    abort.abort();
    await expect.poll(() => client.reached.handler.sessions).toBe(0);
    await dropped;
  });
});

it("HTTP+SSE refuses a long initialize as well", async () => {
  const sse = createSseHandler(new ToyServer().server);
  const { url, close } = await listen({ "/mcp": sse, "/messages": sse });
  onTestFinished(() => close(0));
  const stream = await fetch(url, { headers: { Accept: "text/event-stream" } });
  const reader = stream.body!.getReader();
  const first = new TextDecoder().decode((await reader.read()).value);
  const path = /data: (.*)\n/.exec(first)![1]!;
  const post = (body: string) =>
    fetch(new URL(path, url), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    });
  const refused = await post(introduction(64 * 1024));
  expect(refused.status).toBe(413);
  expect(await refused.text()).toContain("maxInitializeBytes");
  expect((await post(introduction(1000))).status).toBe(202);
  await reader.read();
  expect((await post(JSON.stringify(ping(1)).padEnd(100_000))).status).toBe(202);
  await reader.cancel();
});

it("a body is freed once it is read", async () => {
  const toy = new ToyServer();
  const handler = createHttpHandler(toy.server);
  const listeners: number[] = [];
  const listener = toNodeListener(handler);
  const http = createServer((request, response) => {
    request.on("end", () => setImmediate(() => listeners.push(request.listenerCount("data"))));
    listener(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void http.close());
  const { port } = http.address() as { port: number };
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    },
    body: JSON.stringify(initialize("2025-11-25")),
  });
  expect(response.status).toBe(200);
  await expect.poll(() => listeners).toEqual([0]);
});
