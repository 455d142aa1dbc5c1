import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { serve as serveHono } from "@hono/node-server";
import { oauth, type OAuthOptions, redirect } from "@mcp-codegen/auth/client";
import { resourceServer, type ResourceServerOptions } from "@mcp-codegen/auth/server";
import { expressRoute } from "@mcp-codegen/runtime/http/express";
import { fastifyPlugin } from "@mcp-codegen/runtime/http/fastify";
import { honoRoute } from "@mcp-codegen/runtime/http/hono";
import { listen } from "@mcp-codegen/runtime/http/node";
import type { HttpHandler } from "@mcp-codegen/runtime/http/server";
import { createHttpHandler, McpServer } from "@mcp-codegen/universal";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { onTestFinished } from "vitest";
import { freePort } from "../../support/free-port.js";
import { type ProviderSettings, type RealServer, startProvider } from "../support/real-provider.js";

/** Serves a handler at `/mcp` on a port. */
type Mount = (handler: HttpHandler, port: number) => Promise<void>;

export const MOUNTS: Readonly<Record<string, Mount>> = {
  listen: async (handler, port) => {
    const { close } = await listen(handler, { port });
    onTestFinished(() => close(0));
  },
  Express: async (handler, port) => {
    const app = express();
    app.all(["/mcp", ...handler.wellKnownPaths], expressRoute(handler));
    await listening(app as unknown as RequestListener, port);
  },
  Hono: async (handler, port) => {
    const app = new Hono();
    for (const path of ["/mcp", ...handler.wellKnownPaths]) app.all(path, honoRoute(handler));
    const server = serveHono({ fetch: app.fetch, port, hostname: "127.0.0.1" });
    await new Promise((resolve) => server.once("listening", resolve));
    onTestFinished(() => void server.close());
  },
  Fastify: async (handler, port) => {
    const app = fastify({ forceCloseConnections: true });
    await app.register(fastifyPlugin(handler));
    await app.listen({ port, host: "127.0.0.1" });
    onTestFinished(() => app.close());
  },
};

export interface GuardedSettings {
  readonly mount?: Mount | undefined;
  readonly provider?: Partial<ProviderSettings> | undefined;
  readonly guard?: Partial<ResourceServerOptions> | undefined;
}

/** An MCP server that accepts only the tokens of a real authorization server. Both run on sockets. */
export interface Guarded {
  /** The URL of the MCP server, which is also the resource. */
  readonly url: string;
  readonly provider: RealServer;
  /** The URLs to which the user was sent. */
  readonly visited: URL[];
  /** The requests that the server received. */
  readonly received: { readonly scheme: string; readonly token: string }[];
  /** Everything that the server has reported. */
  readonly reported: unknown[];
  /** Returns the options of a client whose user agrees to everything. */
  options(given?: Partial<OAuthOptions>): OAuthOptions;
  oauth(given?: Partial<OAuthOptions>): ReturnType<typeof oauth>;
}

/**
 * Starts a guarded server. Its tools are `whoami`; `write`, which needs a scope; `context`, which returns its whole
 * context; and `fail`.
 */
export async function startGuarded({
  mount = MOUNTS["listen"]!,
  provider: settings,
  guard,
}: GuardedSettings = {}): Promise<Guarded> {
  // The URL of a server must be known before it is created, because it is the resource.
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/mcp`;
  const provider = await startProvider({ resource: () => url, ...settings });
  onTestFinished(() => provider.close());
  const received: Guarded["received"] = [];
  const reported: unknown[] = [];
  const onerror = (error: unknown) => void reported.push(error);
  const server = new McpServer({ name: "guarded", version: "1.0.0" });
  server.registerTool("whoami", {}, ({ auth }) => `${auth?.principal} ${auth?.scopes?.join(" ")}`);
  server.registerTool("write", { scopes: ["write"] }, ({ auth }) => `by ${auth?.principal}`);
  server.registerTool("context", {}, (context) => inspect(valuesOf(context), { depth: 8 }));
  server.registerTool("fail", {}, () => {
    throw new Error("The tool has failed");
  });
  const resources = resourceServer({
    resource: url,
    authorizationServers: [provider.issuer],
    requiredScopes: ["read"],
    scopesSupported: ["read", "write"],
    onerror,
    ...guard,
  });
  const handler = createHttpHandler(server, {
    onerror,
    authenticate: {
      ...resources,
      authenticate: (head) => {
        const [scheme = "", token = ""] = (head.header("authorization") ?? "").split(" ");
        if (token !== "") received.push({ scheme, token });
        return resources.authenticate(head);
      },
    },
  });
  await mount(handler, port);
  onTestFinished(() => handler.close(0));
  const visited: URL[] = [];
  const options = (given: Partial<OAuthOptions> = {}): OAuthOptions => ({
    authorize: redirect({
      redirectUri: "http://127.0.0.1:3999/callback",
      visit: (to) => {
        visited.push(to);
        return provider.visit(to);
      },
    }),
    ...given,
  });
  return {
    url,
    provider,
    visited,
    received,
    reported,
    options,
    oauth: (given) => oauth(options(given)),
  };
}

async function listening(listener: RequestListener, port: number): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Returns all properties of an object, including those from its class's accessors. */
function valuesOf(context: object): Readonly<Record<string, unknown>> {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(context)).concat(
    Object.getOwnPropertyNames(context),
  );
  const values = Object.fromEntries(
    names.map((name) => [name, (context as Record<string, unknown>)[name]]),
  );
  const header = values["header"] as (name: string) => unknown;
  return { ...values, authorization: header("authorization"), dpop: header("dpop") };
}
