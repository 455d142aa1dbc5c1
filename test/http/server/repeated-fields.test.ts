import { serve as serveHono } from "@hono/node-server";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import {
  createHttpHandler,
  createSseHandler,
  type HttpHandler,
} from "../../../runtime/http/server/index.js";
import { expressRoute } from "../../../runtime/http/mounts/express.js";
import { fastifyPlugin } from "../../../runtime/http/mounts/fastify.js";
import { honoRoute } from "../../../runtime/http/mounts/hono.js";
import { listen } from "../../../runtime/http/node/index.js";
import { ACCEPT, initialize } from "./serve.js";
import { type Fields, post } from "./stateless/support/raw-http.js";
import { ToyServer } from "./toy-server.js";

/** Starts a handler; returns its URL and a function that stops it. */
type Start = (handler: HttpHandler) => Promise<{ url: string; stop(): unknown }>;

const MOUNTS: readonly (readonly [string, Start])[] = [
  [
    "node",
    async (handler) => {
      const { url, close } = await listen(handler);
      return { url, stop: () => close(0) };
    },
  ],
  [
    "express",
    async (handler) => {
      const app = express();
      app.use(express.json());
      app.all("/mcp", expressRoute(handler));
      const server = app.listen(0, "127.0.0.1");
      await new Promise((resolve) => server.once("listening", resolve));
      const { port } = server.address() as AddressInfo;
      return { url: `http://127.0.0.1:${port}/mcp`, stop: () => server.close() };
    },
  ],
  [
    "fastify",
    async (handler) => {
      const app = fastify();
      await app.register(fastifyPlugin(handler));
      const address = await app.listen({ port: 0, host: "127.0.0.1" });
      return { url: `${address}/mcp`, stop: () => app.close() };
    },
  ],
  [
    "hono",
    async (handler) => {
      const app = new Hono();
      app.all("/mcp", honoRoute(handler));
      const server = serveHono({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
      await new Promise((resolve) => server.once("listening", resolve));
      const { port } = server.address() as AddressInfo;
      return { url: `http://127.0.0.1:${port}/mcp`, stop: () => server.close() };
    },
  ],
];

/** Header fields that may have only one value, each with two values. */
const VALUES: Readonly<Record<string, readonly [string, string]>> = {
  Authorization: ["Bearer ada", "Bearer root"],
  DPoP: ["eyJ.a.b", "eyJ.c.d"],
  "Content-Type": ["application/json", "text/plain"],
  Origin: ["http://localhost", "http://localhost:8080"],
  "Sec-Fetch-Site": ["same-origin", "none"],
  "Last-Event-ID": ["a_1", "a_2"],
  "Mcp-Session-Id": ["one", "two"],
  "MCP-Protocol-Version": ["2025-11-25", "2025-06-18"],
};

const usual: Readonly<Record<string, string>> = {
  "Content-Type": "application/json",
  Accept: ACCEPT,
};

function fieldsWith(name: string, values: readonly string[]): Fields {
  const others = Object.entries(usual).filter(([other]) => other !== name);
  return [...others, ...values.map((value) => [name, value] as const)];
}

describe.each(MOUNTS)("a header with a single value, with %s", (mount, start) => {
  const principals: string[] = [];
  let url: string;
  let stop: () => unknown;

  beforeAll(async () => {
    const handler = createHttpHandler(new ToyServer().server, {
      authenticate: ({ header }) => {
        principals.push(header("authorization") ?? "none");
        return "anonymous";
      },
    });
    ({ url, stop } = await start(handler));
  });
  afterAll(() => stop());

  it.each(Object.entries(VALUES))(
    "is refused if repeated, before the sender is authenticated: %s (AUTH-01, HTTP-05)",
    async (name, [first, second]) => {
      principals.length = 0;
      for (const values of [
        [first, second],
        [second, first],
        [first, first],
      ]) {
        const { status, message } = await post(
          url,
          initialize("2025-11-25"),
          fieldsWith(name, values),
        );
        expect([status, message?.error?.message]).toEqual([
          400,
          `Bad request: there is more than one ${name} field`,
        ]);
      }
      if (name !== "MCP-Protocol-Version") expect(principals).toEqual([]);
    },
  );

  it("is refused if repeated for Host, too", async () => {
    const fields = [...fieldsWith("Host", [new URL(url).host, "localhost"])];
    expect((await post(url, initialize("2025-11-25"), fields)).status).toBe(400);
  });

  it("is refused if repeated for Mcp-Method in a request of a session", async () => {
    const fields = [...fieldsWith("MCP-Protocol-Version", ["2025-11-25"])];
    const twice = ["initialize", "initialize"].map((value) => ["Mcp-Method", value] as const);
    const { status } = await post(url, initialize("2025-11-25"), [...fields, ...twice]);
    expect(status).toBe(400);
  });

  it("is accepted once, whatever commas its value contains", async () => {
    const digest = 'Digest username="ada, root", realm="a", response=1';
    const fields = fieldsWith("Authorization", [digest]);
    expect((await post(url, initialize("2025-11-25"), fields)).status).toBe(200);
    expect(principals.at(-1)).toBe(digest);
  });

  if (mount !== "hono")
    it("may be repeated if it is a list", async () => {
      const fields = fieldsWith("Accept", ["application/json", "text/event-stream"]);
      expect((await post(url, initialize("2025-11-25"), fields)).status).toBe(200);
    });
});

it.each(["Bearer ada, Bearer root", 'Digest a="1", Digest b="2"', "Bearer ada, x"])(
  "a joined Authorization header with two values is refused if the platform shows only that: %s",
  async (value) => {
    const handler = createHttpHandler(new ToyServer().server, { authenticate: () => "anonymous" });
    onTestFinished(() => handler.close(0));
    const headers = { ...usual, Authorization: value };
    const body = JSON.stringify(initialize("2025-11-25"));
    const request = new Request("http://localhost/mcp", { method: "POST", headers, body });
    expect((await handler(request)).status).toBe(400);
  },
);

it("HTTP+SSE refuses repeated headers as well", async () => {
  const handler = createSseHandler(new ToyServer().server, { authenticate: () => "anonymous" });
  const { url, close } = await listen({ "/sse": handler, "/messages": handler });
  onTestFinished(() => close(0));
  const fields = fieldsWith("Authorization", ["Bearer ada", "Bearer root"]);
  const to = new URL("/messages?sessionId=x", url).href;
  expect((await post(to, initialize("2024-11-05"), fields)).status).toBe(400);
});
