import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { serve as serveHono } from "@hono/node-server";
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import express, { type Request as ExpressRequest } from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHttpHandler, type HttpHandler } from "../../../runtime/http/server/index.js";
import { expressRoute } from "../../../runtime/http/mounts/express.js";
import { fastifyPlugin, fastifyRoute } from "../../../runtime/http/mounts/fastify.js";
import { honoRoute } from "../../../runtime/http/mounts/hono.js";
import { listen, toNodeListener } from "../../../runtime/http/node/index.js";
import { listeningAt } from "./listening-at.js";
import { EventReader, RawClient, tool } from "./serve.js";
import { ToyServer } from "./toy-server.js";

const user = (name: unknown) => (typeof name === "string" ? { principal: name } : "anonymous");

const MOUNTS: { mount: string; start: (handler: HttpHandler) => Promise<string> }[] = [
  {
    mount: "node",
    start: (handler) =>
      listeningAt(
        "/mcp",
        toNodeListener(handler, {
          auth: ({ headers }) => user(headers["x-user"]),
        }) as RequestListener,
      ),
  },
  {
    mount: "express",
    start: (handler) => {
      const app = express();
      app.all(
        "/mcp",
        expressRoute<ExpressRequest>(handler, { auth: (req) => user(req.get("x-user")) }),
      );
      return listeningAt("/mcp", app as unknown as RequestListener);
    },
  },
  {
    mount: "express after express.json()",
    start: (handler) => {
      const app = express();
      app.use(express.json());
      app.use(
        "/mcp",
        expressRoute<ExpressRequest>(handler, { auth: (req) => user(req.get("x-user")) }),
      );
      return listeningAt("/mcp", app as unknown as RequestListener);
    },
  },
  {
    mount: "fastify",
    start: async (handler) => {
      const app = fastify();
      await app.register(
        fastifyPlugin(handler, { auth: ({ raw }) => user(raw.headers["x-user"]) }),
      );
      onTestFinished(() => app.close());
      return `${await app.listen({ port: 0, host: "127.0.0.1" })}/mcp`;
    },
  },
  {
    mount: "fastify that has parsed the body",
    start: async (handler) => {
      const app = fastify();
      app.all("/mcp", fastifyRoute(handler, { auth: ({ raw }) => user(raw.headers["x-user"]) }));
      onTestFinished(() => app.close());
      return `${await app.listen({ port: 0, host: "127.0.0.1" })}/mcp`;
    },
  },
  ...[false, true].map((parses) => ({
    mount: parses ? "hono after c.req.json()" : "hono",
    start: async (handler: HttpHandler) => {
      const app = new Hono();
      app.use(async (c, next) => {
        if (parses && c.req.method === "POST") await c.req.json().catch(() => undefined);
        await next();
      });
      app.all("/mcp", honoRoute(handler, { auth: (c) => user(c.req.raw.headers.get("x-user")) }));
      const server = serveHono({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
      await new Promise((resolve) => server.once("listening", resolve));
      onTestFinished(() => void server.close());
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    },
  })),
  {
    mount: "listen()",
    start: async (handler) => {
      const { url, close } = await listen(handler);
      onTestFinished(() => close(0));
      return url;
    },
  },
];

async function mounted(start: (handler: HttpHandler) => Promise<string>) {
  const toy = new ToyServer();
  const handler = createHttpHandler(toy.server, { onerror: () => {} });
  onTestFinished(() => handler.close(0));
  const url = await start(handler);
  const reached = { name: "", url, handler, fetch: (init?: RequestInit) => fetch(url, init) };
  return { toy, handler, url, client: new RawClient(reached) };
}

describe.each(MOUNTS)("mounted: $mount", ({ start }) => {
  it("answers, streams and refuses (H01, H04, HTTP-01, HTTP-14)", async () => {
    const { client } = await mounted(start);
    await client.initialize("2025-11-25");
    expect((await client.call(1, "tools/call", { name: "echo" })).id).toBe(1);
    const events = await new EventReader(
      await client.post(tool(2, "progress", {}, { progressToken: 1 })),
    ).rest();
    expect(events.filter(({ data }) => data)).toHaveLength(4);
    const listener = new EventReader(await client.get());
    expect((await listener.next())!.id).toBeTruthy();
    await listener.cancel();
    const foreign = await client.post("{}", { Origin: "http://evil.example" });
    expect(foreign.status).toBe(403);
    expect((await client.post("{")).status).toBe(400);
    expect((await client.post({}, { "Content-Type": "text/plain" })).status).toBe(415);
    expect((await client.reached.fetch({ method: "PUT" })).status).toBe(405);
    expect((await client.delete()).status).toBe(200);
    expect((await client.get()).status).toBe(404);
  });

  it("serves the official client, version 1", async () => {
    const { url, toy, handler } = await mounted(start);
    const client = new ClientV1({ name: "theirs", version: "1" }, { capabilities: { roots: {} } });
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [] }));
    const transport = new HttpV1(new URL(url));
    await client.connect(transport as never);
    const { content } = await client.callTool({ name: "ask", arguments: {} });
    expect(content).toEqual([{ type: "text", text: '{"roots":[]}' }]);
    const progress: number[] = [];
    await client.callTool({ name: "progress", arguments: {} }, undefined, {
      onprogress: (notifications) => progress.push(notifications.progress),
    });
    expect(progress).toEqual([1, 2, 3]);
    setTimeout(() => toy.gate.open(), 300);
    const released = await client.callTool({ name: "release", arguments: {} });
    expect(released.content).toEqual([{ type: "text", text: "released" }]);
    await transport.terminateSession();
    await client.close();
    expect(handler.sessions).toBe(0);
  });

  it("serves the official client, version 2", async () => {
    const { url, handler } = await mounted(start);
    const client = new ClientV2({ name: "theirs", version: "1" }, { capabilities: { roots: {} } });
    client.setRequestHandler("roots/list", () => ({ roots: [] }));
    const transport = new HttpV2(new URL(url));
    await client.connect(transport);
    const { content } = await client.callTool({ name: "ask", arguments: {} });
    expect(content).toEqual([{ type: "text", text: '{"roots":[]}' }]);
    await transport.terminateSession();
    await client.close();
    expect(handler.sessions).toBe(0);
  });
});

const withMiddleware = MOUNTS.filter(({ mount }) => mount !== "listen()");

describe.each(withMiddleware)("mounted behind authentication: $mount", ({ start }) => {
  it("passes on the authenticated sender", async () => {
    const { client } = await mounted(start);
    client.headers["X-User"] = "ada";
    await client.initialize("2025-11-25");
    const { result } = await client.call(1, "tools/call", { name: "who" });
    expect(result.content[0].text).toBe('["ada",null]');
    expect((await client.post("{}", { "X-User": "mallory" })).status).toBe(404);
  });
});

it("a handler has the shape that platforms with `export default` expect", () => {
  const handler = createHttpHandler(new ToyServer().server);
  expect(handler.fetch).toBe(handler);
});
