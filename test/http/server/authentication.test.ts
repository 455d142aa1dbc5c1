import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { serve as serveHono } from "@hono/node-server";
import fastify from "fastify";
import { Hono } from "hono";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type Authenticate,
  createHttpHandler,
  type HttpHandler,
} from "../../../runtime/http/server/index.js";
import { fastifyPlugin, fastifyRoute } from "../../../runtime/http/mounts/fastify.js";
import { honoRoute } from "../../../runtime/http/mounts/hono.js";
import { toNodeListener } from "../../../runtime/http/node/index.js";
import { ACCEPT, initialize, serve, WAYS } from "./serve.js";
import { ToyServer } from "./toy-server.js";

const returns = (value: unknown): Authenticate => (() => value) as Authenticate;

describe.each(WAYS)("authenticate over $way", ({ reach }) => {
  it.each([undefined, null, false, "", 0, { principal: "" }])(
    "refuses %j with 401, returned or promised (SEC-03)",
    async (value) => {
      for (const given of [value, Promise.resolve(value)]) {
        const toy = new ToyServer();
        const client = await serve(toy.server, { authenticate: returns(given) }, reach);
        const response = await client.post(initialize("2025-11-25"));
        expect(response.status).toBe(401);
        expect(response.headers.get("www-authenticate")).toBe("Bearer");
        expect(await response.json()).toMatchObject({ error: { code: -32600 } });
        expect(client.reached.handler.sessions).toBe(0);
      }
    },
  );

  it.each([true, {}, { principal: 1 }, { user: "ada" }, "ada", [[]], { status: "401" }])(
    "answers %j with 500 and names the allowed results (SEC-03)",
    async (value) => {
      const errors: Error[] = [];
      const onerror = (error: Error) => void errors.push(error);
      const options = { authenticate: returns(value), onerror };
      const client = await serve(new ToyServer().server, options, reach);
      expect((await client.post(initialize("2025-11-25"))).status).toBe(500);
      expect(errors.map(({ message }) => message)).toEqual([
        expect.stringContaining("authenticate must return { principal } or { status }"),
      ]);
    },
  );

  it("accepts an anonymous sender, and refuses a sender with the returned status", async () => {
    const { server } = new ToyServer();
    const open = await serve(server, { authenticate: () => "anonymous" }, reach);
    expect((await open.post(initialize("2025-11-25"))).status).toBe(200);
    const both = returns({ principal: "ada", status: 403 });
    const shut = await serve(server, { authenticate: both }, reach);
    expect((await shut.post(initialize("2025-11-25"))).status).toBe(403);
  });
});

type Hook = (request: unknown) => undefined;

const listening = async (listener: ReturnType<typeof toNodeListener>): Promise<string> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
};

async function overFastify(handler: HttpHandler, auth: Hook, isPlugin: boolean): Promise<string> {
  const app = fastify();
  if (isPlugin) await app.register(fastifyPlugin(handler, { auth }));
  else app.all("/mcp", fastifyRoute(handler, { auth }));
  onTestFinished(() => app.close());
  return `${await app.listen({ port: 0, host: "127.0.0.1" })}/mcp`;
}

async function overHono(handler: HttpHandler, auth: Hook): Promise<string> {
  const app = new Hono();
  app.all("/mcp", honoRoute(handler, { auth }));
  const server = serveHono({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

describe.each([
  {
    mount: "node:http",
    start: (handler: HttpHandler, auth: Hook) => listening(toNodeListener(handler, { auth })),
  },
  {
    mount: "fastify as a plugin",
    start: (handler: HttpHandler, auth: Hook) => overFastify(handler, auth, true),
  },
  {
    mount: "fastify as a route",
    start: (handler: HttpHandler, auth: Hook) => overFastify(handler, auth, false),
  },
  { mount: "hono", start: overHono },
])("the auth hook of $mount", ({ start }) => {
  const ask = async (auth: Hook) => {
    const errors: Error[] = [];
    const onerror = (error: Error) => void errors.push(error);
    const handler = createHttpHandler(new ToyServer().server, { onerror });
    onTestFinished(() => handler.close(0));
    const response = await fetch(await start(handler, auth), {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: ACCEPT },
      body: JSON.stringify(initialize("2025-11-25")),
    });
    return { response, errors };
  };

  it("refuses a sender with 401 when it returns nothing (SEC-03)", async () => {
    const { response } = await ask(() => undefined);
    expect(response.status).toBe(401);
  });

  it("answers 500 if it throws, and the process continues", async () => {
    const { response, errors } = await ask(() => {
      throw new Error("no such header");
    });
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("no such header");
    expect(errors.map(({ message }) => message)).toEqual(["no such header"]);
  });
});
