import * as theirs from "@modelcontextprotocol/server";
import * as express from "@mcp-codegen/sdk/express";
import * as fastify from "@mcp-codegen/sdk/fastify";
import * as hono from "@mcp-codegen/sdk/hono";
import * as node from "@mcp-codegen/sdk/node";
import * as ours from "@mcp-codegen/sdk/server";
import expressApp from "express";
import fastifyApp from "fastify";
import { Hono } from "hono";
import { createServer, request as ask, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";

const HOSTS = [
  null,
  "",
  "localhost",
  "localhost:3000",
  "LOCALHOST",
  "127.0.0.1:80",
  "[::1]:8080",
  "evil.example",
  "localhost.evil.example",
  "evil.example:3000",
  "a b",
];
const ORIGINS = [
  null,
  "",
  "http://localhost:5173",
  "https://127.0.0.1",
  "http://[::1]",
  "https://evil.example",
  "null",
  "nonsense",
  "file://",
];
const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

describe("guards for web requests decide as those of the official SDK", () => {
  it.each(HOSTS)("host %j", (host) => {
    expect(ours.validateHostHeader(host, LOCAL)).toEqual(theirs.validateHostHeader(host, LOCAL));
  });

  it.each(ORIGINS)("origin %j", (origin) => {
    expect(ours.validateOriginHeader(origin, LOCAL)).toEqual(
      theirs.validateOriginHeader(origin, LOCAL),
    );
  });

  it("with the same responses", async () => {
    for (const headers of [{ host: "evil.example" }, { host: "localhost" }] as const) {
      const request = { headers: new Headers(headers) } as Request;
      const [own, other] = [
        ours.hostHeaderValidationResponse(request, LOCAL),
        theirs.hostHeaderValidationResponse(request, LOCAL),
      ];
      expect(own?.status).toBe(other?.status);
      expect(await own?.json()).toEqual(await other?.json());
    }
    const foreign = { headers: new Headers({ origin: "https://evil.example" }) } as Request;
    expect(ours.originValidationResponse(foreign, LOCAL)?.status).toBe(403);
    expect(ours.localhostAllowedHostnames()).toEqual(theirs.localhostAllowedHostnames());
    expect(ours.localhostAllowedOrigins()).toEqual(theirs.localhostAllowedOrigins());
  });

  it("except that a host with a user or a path in it is refused", () => {
    for (const host of ["evil.example@localhost", "localhost/x", "localhost#x", "localhost\\x"]) {
      expect(ours.validateHostHeader(host, LOCAL)).toMatchObject({
        errorCode: "invalid_host_header",
      });
    }
  });
});

let server: Server | undefined;
afterEach(() => void server?.close());

async function statusOf(listener: RequestListener, headers: Record<string, string>) {
  server = createServer(listener);
  await new Promise<void>((done) => server!.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return new Promise<number>((resolve, reject) => {
    ask({ port, host: "127.0.0.1", headers }, (response) => {
      response.resume();
      resolve(response.statusCode!);
    })
      .on("error", reject)
      .end();
  });
}

/** Listeners behind both guards of each host's package. */
const hosts: Record<string, () => RequestListener | Promise<RequestListener>> = {
  node: () => {
    const [host, origin] = [node.localhostHostValidation(), node.localhostOriginValidation()];
    return (request, response) => {
      if (host(request, response) && origin(request, response)) response.end("in");
    };
  },
  express: () => {
    const app = expressApp();
    app.use(express.localhostHostValidation(), express.localhostOriginValidation());
    app.use((_request, response) => void response.end("in"));
    return app;
  },
  fastify: async () => {
    const app = fastifyApp();
    app.addHook("onRequest", fastify.localhostHostValidation());
    app.addHook("onRequest", fastify.localhostOriginValidation());
    app.get("/", () => "in");
    await app.ready();
    return (request, response) => app.routing(request, response);
  },
  hono: async () => {
    const app = new Hono();
    app.use("*", hono.localhostHostValidation(), hono.localhostOriginValidation());
    app.get("/", (context) => context.text("in"));
    const { getRequestListener } = await import("@hono/node-server");
    return getRequestListener((request) => app.fetch(request));
  },
};

describe.each(Object.keys(hosts))("guards of %s", (name) => {
  it.each([
    [{ host: "localhost:1" }, 200],
    [{ host: "evil.example" }, 403],
    [{ host: "localhost", origin: "http://localhost:5173" }, 200],
    [{ host: "localhost", origin: "https://evil.example" }, 403],
  ])("%j: %d", async (headers, status) => {
    expect(await statusOf(await hosts[name]!(), headers)).toBe(status);
  });
});
