import { AsyncLocalStorage } from "node:async_hooks";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { HttpHandlerOptions } from "../../../runtime/http/server/index.js";
import { EventReader, RawClient, tool, type Wire } from "./serve.js";

/** A request that is being handled; its timers end with it. */
interface OwnRequest {
  isOver: boolean;
  readonly timers: Set<unknown>;
}

const requests = new AsyncLocalStorage<OwnRequest>();
const { setTimeout: timeout, setInterval: interval, clearTimeout: clear } = globalThis;

/**
 * Stubs timers to behave as they do in Workers: each belongs to the request that set it, and never fires after that
 * request has ended.
 */
function stubTimers(): void {
  const owned =
    (set: typeof setTimeout) =>
    (work: () => void, milliseconds?: number): unknown => {
      const request = requests.getStore();
      const timer = set(() => {
        if (request?.isOver) return clear(timer);
        if (set === timeout) request?.timers.delete(timer);
        requests.run(request!, work);
      }, milliseconds);
      request?.timers.add(timer);
      return timer;
    };
  vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" });
  vi.stubGlobal("setTimeout", owned(timeout));
  vi.stubGlobal("setInterval", owned(interval as typeof setTimeout));
}

beforeAll(() => {
  vi.resetModules();
  stubTimers();
});
afterAll(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

async function served(options: HttpHandlerOptions) {
  const { createHttpHandler } = await import("../../../runtime/http/server/index.js");
  const { ToyServer, Gate } = await import("./toy-server.js");
  const toy = new ToyServer(undefined, { timeout: 80 });
  const handler = createHttpHandler(toy.server, options);
  const url = "http://localhost/mcp";
  /** Handles a request in its own context, which ends with the response. */
  const fetched = (init?: RequestInit): Promise<Response> => {
    const request: OwnRequest = { isOver: false, timers: new Set() };
    return requests.run(request, async () => {
      const response = await handler(new Request(url, init));
      if (response.body === null) request.isOver = true;
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const ended = response.body?.pipeTo(writable);
      void ended?.catch(() => {}).finally(() => (request.isOver = true));
      const body = response.body === null ? null : readable;
      return new Response(body, response);
    });
  };
  const client = new RawClient({ name: "workers", url, handler, fetch: fetched });
  await client.initialize("2025-11-25");
  return { toy, client, Gate };
}

describe("on platforms where timers end with the request that set them (Workers)", () => {
  it("each request to the client has its timeout", async () => {
    const { toy, client } = await served({});
    const outcomes: unknown[] = [];
    toy.tools["ask twice"] = async (_, { request }) => {
      const send = request as unknown as (method: string) => Promise<unknown>;
      outcomes.push(await send("roots/list").catch(({ code }) => code));
      return { content: [] };
    };
    for (const id of [1, 2, 3]) {
      const reader = new EventReader(await client.post(tool(id, "ask twice")));
      const question: Wire = await reader.message();
      if (id === 1) await client.post({ jsonrpc: "2.0", id: question.id, result: { roots: [] } });
      for (let one = question; one; one = await reader.message());
    }
    expect(outcomes).toEqual([{ roots: [] }, "REQUEST_TIMEOUT", "REQUEST_TIMEOUT"]);
  });

  it("each response becomes a stream with keep-alive comments, also after earlier ones have ended", async () => {
    const { toy, client, Gate } = await served({ upgradeAfter: 20, keepAlive: 20 });
    for (const id of [1, 2]) {
      toy.gate = new Gate();
      const response = await client.post(tool(id, "wait"));
      expect(response.headers.get("content-type")).toBe("text/event-stream");
      const reader = new EventReader(response);
      const reading = reader.message();
      await vi.waitFor(() => expect(reader.raw).toContain(": \n\n"));
      toy.gate.open();
      expect(await reading).toMatchObject({ id });
    }
  });
});
