import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { serve as serveHono } from "@hono/node-server";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { describe, expect, it, onTestFinished } from "vitest";
import { expressRoute } from "../../../runtime/http/mounts/express.js";
import { fastifyPlugin } from "../../../runtime/http/mounts/fastify.js";
import { honoRoute } from "../../../runtime/http/mounts/hono.js";
import { listen, toNodeListener } from "../../../runtime/http/node/index.js";
import {
  createHealthHandler,
  createHttpHandler,
  createRouter,
  createSseHandler,
  type HealthHandlerOptions,
  type HttpHandler,
} from "../../../runtime/http/server/index.js";
import { failedChecks } from "../../../runtime/http/server/handler-state.js";
import { memoryStores } from "@mcp-codegen/testing/stores";
import { type InstanceMail, SharedSessions } from "../../../runtime/http/server/sharing/index.js";
import { listeningAt } from "./listening-at.js";
import { ToyServer } from "./toy-server.js";

type Ask = (init?: RequestInit, query?: string) => Promise<Response>;

const at =
  (url: string): Ask =>
  (init, query = "") =>
    fetch(url + query, init);

const MOUNTS: { mount: string; start: (health: HttpHandler) => Promise<Ask> }[] = [
  {
    mount: "the web",
    start: async (health) => (init, query) =>
      health(new Request(`http://10.0.0.7/health${query ?? ""}`, init)),
  },
  {
    mount: "node:http",
    start: async (health) =>
      at(await listeningAt("/health", toNodeListener(health) as RequestListener)),
  },
  {
    mount: "Express",
    start: async (health) => {
      const app = express();
      app.all("/health", expressRoute(health));
      return at(await listeningAt("/health", app as unknown as RequestListener));
    },
  },
  {
    mount: "Fastify",
    start: async (health) => {
      const app = fastify();
      await app.register(fastifyPlugin(health, { path: "/health" }));
      onTestFinished(() => app.close());
      return at(`${await app.listen({ port: 0, host: "127.0.0.1" })}/health`);
    },
  },
  {
    mount: "Hono",
    start: async (health) => {
      const app = new Hono();
      app.all("/health", honoRoute(health));
      const server = serveHono({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
      await new Promise((resolve) => server.once("listening", resolve));
      onTestFinished(() => void server.close());
      return at(`http://127.0.0.1:${(server.address() as AddressInfo).port}/health`);
    },
  },
];

/** Creates a handler that refuses every sender, together with its health handler. */
function withHealth(options: HealthHandlerOptions = {}) {
  const handler = createHttpHandler(new ToyServer().server, {
    authenticate: () => ({ status: 401 }),
    onerror: () => {},
  });
  onTestFinished(() => handler.close(0));
  return { handler, health: createHealthHandler(handler, options) };
}

const responseOf = (handler: HttpHandler) => handler(new Request("http://h/health"));

const statuses = async (ask: Ask, queries = ["", "?live"]): Promise<number[]> =>
  Promise.all(queries.map(async (query) => (await ask({}, query)).status));

describe.each(MOUNTS)("the health of a handler over $mount", ({ start }) => {
  it("is 200 while the handler is open, and 503 as soon as it drains; liveness stays 200", async () => {
    const { handler, health } = withHealth();
    const ask = await start(health);
    expect(await statuses(ask)).toEqual([200, 200]);
    handler.leave();
    expect(await statuses(ask)).toEqual([503, 200]);
    expect(await (await ask()).json()).toEqual({ state: "leaving", ready: false });
    await handler.close(0);
    expect(await statuses(ask)).toEqual([503, 200]);
    expect(await (await ask()).json()).toEqual({ state: "closed", ready: false });
  });

  it("answers GET and HEAD for any client and host, and is not cached", async () => {
    const ask = await start(withHealth().health);
    const get = await ask({ headers: { origin: "https://elsewhere.example" } });
    const head = await ask({ method: "HEAD" });
    for (const response of [get, head]) {
      expect(response.status).toBe(200);
      expect(response.headers.get("cache-control")).toBe("no-store");
    }
    expect(await get.json()).toEqual({ state: "open", ready: true });
    expect(await head.text()).toBe("");
    const post = await ask({ method: "POST", body: "{}" });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("is 503 with Retry-After while a dependency is unavailable, without naming it", async () => {
    let isAway = true;
    const errors: string[] = [];
    const checks = {
      "billing database": () => (isAway ? Promise.reject(new Error("secret@db")) : undefined),
    };
    const options = { checks, maxAge: 0, onerror: ({ message }: Error) => errors.push(message) };
    const ask = await start(withHealth(options).health);
    for (let turn = 0; turn < 2; turn++) {
      const response = await ask();
      expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(await response.json()).toEqual({ state: "open", ready: false });
    }
    expect(await statuses(ask, ["?live"])).toEqual([200]);
    expect(errors).toEqual(["Not ready: the check billing database failed: secret@db"]);
    isAway = false;
    expect(await statuses(ask, [""])).toEqual([200]);
    isAway = true;
    expect(await statuses(ask, [""])).toEqual([503]);
    expect(errors).toHaveLength(2);
  });
});

describe("the health of a handler", () => {
  it("checks the stores once for concurrent requests", async () => {
    let calls = 0;
    const checks = { store: () => void (calls += 1) };
    const { health } = withHealth({ checks, maxAge: 60_000 });
    await Promise.all(Array.from({ length: 50 }, () => responseOf(health)));
    await responseOf(health);
    expect(calls).toBe(1);
  });

  it("is determined within a bounded time, even if a check hangs", async () => {
    const failed = await failedChecks(
      {
        hangs: () => new Promise(() => {}),
        throws: () => {
          throw new Error("no");
        },
        fine: () => 1,
      },
      20,
    );
    expect(Object.entries(failed).map(([name, { message }]) => [name, message])).toEqual([
      ["hangs", "did not finish within 20 ms"],
      ["throws", "no"],
    ]);
  });

  it.each([
    ["Streamable HTTP", createHttpHandler],
    ["HTTP+SSE", createSseHandler],
  ] as const)("includes the stores of shared sessions (%s)", async (_, create) => {
    const stores = memoryStores();
    let isAway = false;
    const isAlive = (instance: string): Promise<boolean> =>
      isAway ? Promise.reject(new Error("away")) : stores.mail.isAlive(instance);
    const mail: InstanceMail = {
      beat: (...given) => stores.mail.beat(...given),
      leave: (instance) => stores.mail.leave(instance),
      send: (...given) => stores.mail.send(...given),
      sendAll: (...given) => stores.mail.sendAll(...given),
      receive: (...given) => stores.mail.receive(...given),
      isAlive,
    };
    const sessions = new SharedSessions({ ...stores, mail }, { onerror: () => {} });
    const handler = create(new ToyServer().server, { sessions });
    onTestFinished(() => handler.close(0));
    expect(await handler.health()).toEqual({ state: "open", isReady: true, away: {} });
    isAway = true;
    const { isReady, away } = await handler.health();
    expect([isReady, Object.keys(away)]).toEqual([false, ["sessions"]]);
    const quiet = { onerror: () => {} };
    expect((await responseOf(createHealthHandler(handler, quiet))).status).toBe(503);
    const without = createHealthHandler(handler, { ...quiet, stores: false });
    expect((await responseOf(without)).status).toBe(200);
    handler.leave();
    expect((await responseOf(without)).status).toBe(503);
  });

  it("combines all handlers of a router", async () => {
    const toy = new ToyServer();
    const http = createHttpHandler(toy.server);
    const sse = createSseHandler(toy.server);
    const router = createRouter({ "/mcp": http, "/sse": sse });
    expect(await router.health()).toEqual({ state: "open", isReady: true, away: {} });
    sse.leave();
    expect([router.state, (await router.health()).isReady]).toEqual(["leaving", false]);
    router.leave();
    expect(http.state).toBe("leaving");
    await router.close(0);
    expect(router.state).toBe("closed");
  });

  it("is served by listen() at the given path", async () => {
    const handler = createHttpHandler(new ToyServer().server);
    const { url, close } = await listen(handler, { health: "/healthz" });
    onTestFinished(() => close(0));
    expect(new URL(url).pathname).toBe("/mcp");
    expect((await fetch(new URL("/healthz", url))).status).toBe(200);
    await expect(listen(handler, { health: "/mcp" })).rejects.toThrow("health:");
    await expect(listen(handler, { health: "healthz" })).rejects.toThrow(TypeError);
  });

  it.each([
    ["no handler", () => createHealthHandler(new ToyServer().server as never)],
    ["an invalid timeout", () => withHealth({ timeout: Number.NaN })],
    ["an invalid age", () => withHealth({ maxAge: -1 })],
    ["an invalid check", () => withHealth({ checks: { a: true as never } })],
  ])("rejects %s", (_, make) => {
    expect(make).toThrow(TypeError);
  });
});
