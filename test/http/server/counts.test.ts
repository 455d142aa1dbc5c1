import { describe, expect, it, onTestFinished } from "vitest";
import {
  createHttpHandler,
  createRouter,
  createSseHandler,
  type HandlerCounts,
} from "../../../runtime/http/server/index.js";
import { NO_COUNTS } from "../../../runtime/http/server/handler-state.js";
import { answerIn, EventReader, initialize, RawClient, serve, tool, WAYS } from "./serve.js";
import { opened } from "./opened.js";
import { ToyServer } from "./toy-server.js";

const ping = { jsonrpc: "2.0", id: 9, method: "ping" };

describe.each(WAYS)("the counts of a handler over $way", ({ reach }) => {
  it("follow sessions, requests, streams and queued messages, and return to zero", async () => {
    const { toy, client, announce } = await opened(reach);
    const { handler } = client.reached;
    expect(handler.counts).toMatchObject({ sessions: 1, requests: 0, streams: 0, queued: 0 });
    expect(handler.counts.keptBytes).toBeGreaterThan(100);
    await announce("one");
    await announce("two");
    expect(handler.counts.queued).toBe(2);
    const stream = new EventReader(await client.get());
    expect(handler.counts).toMatchObject({ streams: 1, queued: 0 });
    const running = client.post(tool(1, "wait"));
    await expect.poll(() => handler.counts.requests).toBe(1);
    expect(handler.counts.requestBytes).toBe(JSON.stringify(tool(1, "wait")).length);
    toy.gate.open();
    await answerIn(await running);
    await stream.cancel();
    await expect.poll(() => handler.counts.streams).toBe(0);
    await client.delete();
    expect(handler.counts).toEqual(NO_COUNTS);
  });

  it("count refusals by status and reason", async () => {
    const client = await serve(new ToyServer().server, { maxRequests: 0 }, reach);
    const { handler } = client.reached;
    await client.post(ping);
    await client.post(ping);
    await client.post("{");
    await client.get({ Accept: "text/plain" });
    await client.get({ Host: "evil.example", Origin: "https://evil.example" });
    await handler.close(0);
    await client.post(ping);
    const counted = handler.counts.refusals.map(({ status, reason, count }) => [
      status,
      reason,
      count,
    ]);
    expect(counted).toEqual([
      [503, "requests", 3],
      [406, undefined, 1],
      [403, undefined, 1],
      [503, "closing", 1],
    ]);
  });
});

it("the counts of a router are the sums of its handlers", async () => {
  const toy = new ToyServer();
  const http = createHttpHandler(toy.server, { authenticate: () => ({ status: 401 }) });
  const sse = createSseHandler(toy.server, { authenticate: () => ({ status: 401 }) });
  const router = createRouter({ "/mcp": http, "/sse": sse, "/messages": sse });
  onTestFinished(() => router.close(0));
  for (const path of ["/mcp", "/sse", "/messages", "/nowhere"]) {
    const client = new RawClient({
      name: "",
      url: "",
      handler: router,
      fetch: (init) => router(new Request(`http://localhost${path}`, init)),
    });
    await client.post(initialize("2025-11-25"));
  }
  const expected: HandlerCounts = {
    ...NO_COUNTS,
    refusals: [{ status: 401, reason: undefined, count: 3 }],
  };
  expect(router.counts).toEqual(expected);
});
