import { Agent, request as httpRequest } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import express from "express";
import fastify from "fastify";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { expressRoute } from "../../../runtime/http/mounts/express.js";
import { fastifyPlugin } from "../../../runtime/http/mounts/fastify.js";
import { createHttpHandler, type HttpHandler } from "../../../runtime/http/server/index.js";
import { listen, type ListenOptions } from "../../../runtime/http/node/index.js";
import { ACCEPT, answerIn, EventReader, initialize, RawClient, tool, WAYS } from "./serve.js";
import { opened } from "./opened.js";
import { ToyServer } from "./toy-server.js";
import { eventually } from "../../support/eventually.js";

const ping = { jsonrpc: "2.0", id: 9, method: "ping" };

async function listening(options: ListenOptions = {}, authenticate?: () => Promise<"anonymous">) {
  const toy = new ToyServer();
  const handler = createHttpHandler(toy.server, { onerror: () => {}, authenticate });
  const served = await listen(handler, options);
  onTestFinished(() => served.close(0));
  const reached = {
    name: "node",
    url: served.url,
    handler,
    fetch: (init?: RequestInit) => fetch(served.url, init),
  };
  return { toy, handler, client: new RawClient(reached), ...served };
}

describe.each(WAYS)("a handler that drains, over $way", ({ reach }) => {
  it("serves as before: new sessions, requests, responses and streams", async () => {
    const { client, announce } = await opened(reach);
    const { handler } = client.reached;
    handler.leave();
    expect(handler.state).toBe("leaving");
    expect((await client.post(ping)).status).toBe(200);
    const stream = new EventReader(await client.get());
    await announce("hello");
    expect((await stream.message()).params.data).toBe("hello");
    const other = new RawClient(client.reached);
    expect(await other.initialize("2025-06-18")).toHaveProperty("result");
    const reader = new EventReader(await client.post(tool(1, "ask")));
    const { id } = await reader.message();
    const answer = { jsonrpc: "2.0", id, result: { roots: [] } };
    expect((await client.post(answer)).status).toBe(202);
    expect(await reader.message()).toHaveProperty("result");
    await handler.close(0);
    handler.leave();
    expect(handler.state).toBe("closed");
  });
});

describe("a Node server that drains", () => {
  it("answers for a while, ends each connection with its response, and reports itself as unhealthy", async () => {
    const { client, close, url } = await listening({ drainDelay: 600_000, health: "/health" });
    await client.initialize("2025-11-25");
    const before = await client.post(ping);
    expect(before.headers.get("connection")).toBe("keep-alive");
    await before.text();
    void close();
    const during = await client.post(ping);
    expect([during.status, during.headers.get("connection")]).toEqual([200, "close"]);
    expect((await fetch(new URL("/health", url))).status).toBe(503);
    await close(0);
    await expect(client.post(ping)).rejects.toThrow();
  });

  it("closes by itself when the delay is over", async () => {
    const { close, handler } = await listening({ drainDelay: 20 });
    await close();
    expect(handler.state).toBe("closed");
  });

  it("closes at once when close is called again", async () => {
    const { close, handler } = await listening({ drainDelay: 600_000 });
    const first = close();
    expect(handler.state).toBe("leaving");
    await Promise.all([close(0), first]);
    expect(handler.state).toBe("closed");
  });

  it.each([
    [
      "Express",
      async (handler: HttpHandler) => {
        const app = express();
        app.all("/mcp", expressRoute(handler));
        const http = app.listen(0, "127.0.0.1");
        onTestFinished(() => void http.close());
        await once(http, "listening");
        return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
      },
    ],
    [
      "Fastify",
      async (handler: HttpHandler) => {
        const app = fastify();
        await app.register(fastifyPlugin(handler));
        onTestFinished(() => app.close());
        return app.listen({ port: 0, host: "127.0.0.1" });
      },
    ],
  ])("ends connections in %s, too", async (_, start) => {
    const handler = createHttpHandler(new ToyServer().server);
    onTestFinished(() => handler.close(0));
    const url = `${await start(handler)}/mcp`;
    const headers = { "Content-Type": "application/json", Accept: ACCEPT };
    const ask = () =>
      fetch(url, { method: "POST", headers, body: JSON.stringify(initialize("2025-11-25")) });
    expect((await ask()).headers.get("connection")).toBe("keep-alive");
    handler.leave();
    const leaving = await ask();
    expect([leaving.status, leaving.headers.get("connection")]).toEqual([200, "close"]);
  });

  it("rejects an invalid delay", async () => {
    await expect(listening({ drainDelay: -1 })).rejects.toThrow(TypeError);
  });
});

describe("a handler that drains", () => {
  it("answers a request whose body was arriving when the drain began", async () => {
    const { close, url, handler, port } = await listening();
    const body = JSON.stringify(initialize("2025-11-25"));
    const response = new Promise<{ status: number; text: string }>((resolve, reject) => {
      const agent = new Agent({ keepAlive: true });
      const headers = { "Content-Type": "application/json", Accept: ACCEPT };
      const request = httpRequest(url, { method: "POST", headers, agent }, (answer) => {
        let text = "";
        answer.on("data", (chunk: Buffer) => (text += chunk.toString()));
        answer.on("end", () => resolve({ status: answer.statusCode!, text }));
      });
      request.on("error", reject);
      request.write(body.slice(0, 10));
      void expect
        .poll(() => handler.counts.readingBytes)
        .toBe(10)
        .then(() => {
          closed = close(5000);
          setTimeout(() => request.end(body.slice(10)), 50);
        });
    });
    let closed: Promise<void> | undefined;
    expect(port).toBeGreaterThan(0);
    const { status, text } = await response;
    expect([status, text.includes('"result"')]).toEqual([200, true]);
    await closed;
    expect(handler.state).toBe("closed");
  });

  it("answers a request whose sender was being authenticated when the drain began", async () => {
    let identified!: (given: "anonymous") => void;
    const identity = new Promise<"anonymous">((resolve) => {
      identified = resolve;
    });
    let isAsked = false;
    const { client, close, handler } = await listening({}, () => {
      isAsked = true;
      return identity;
    });
    const opening = client.post(initialize("2025-11-25"));
    await expect.poll(() => isAsked).toBe(true);
    const closed = close(5000);
    expect(handler.state).toBe("draining");
    identified("anonymous");
    expect(await answerIn(await opening)).toHaveProperty("result");
    await closed;
  });

  it("resolves every pending close with the last response", async () => {
    let identified!: (given: "anonymous") => void;
    const identity = new Promise<"anonymous">((resolve) => {
      identified = resolve;
    });
    const authenticate = vi.fn<() => Promise<"anonymous">>(() => identity);
    const { client, close, handler } = await listening({ drainDelay: 600_000 }, authenticate);
    const opening = client.post(initialize("2025-11-25"));
    await eventually(() => expect(authenticate).toHaveBeenCalled());
    const closed = Promise.all([close(600_000), close(600_000)]);
    await eventually(() => expect(handler.state).toBe("draining"));
    identified("anonymous");
    expect(await answerIn(await opening)).toHaveProperty("result");
    await closed;
    expect(handler.state).toBe("closed");
  });

  it("waits no longer than the limit for a body or sender that never arrives", async () => {
    let isAsked = false;
    const { client, handler } = await listening({}, () => {
      isAsked = true;
      return new Promise(() => {});
    });
    const opening = client.post(initialize("2025-11-25"));
    opening.catch(() => {});
    await expect.poll(() => isAsked).toBe(true);
    await handler.close(20);
    expect(handler.state).toBe("closed");
  });
});
