import { expect, test } from "vitest";
import { type Era, type EraCache, MemoryEraCache } from "@mcp-codegen/runtime/facade/client";
import type { Transport } from "@mcp-codegen/runtime";
import { RawPeer } from "../../engine/support/raw-peer.js";
import { discovered } from "../../stateless/client/support/raw-server.js";
import { connect } from "./support/connecting.js";

/**
 * The kinds of servers that a process can be. Each connection starts a new server, which behaves according to its kind.
 */
type Kind = "stateless" | "session" | "exits on the probe" | "is gone";

const initialized = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  serverInfo: { name: "raw", version: "0" },
};

/** Answers the messages that open a conversation. */
async function serve(server: RawPeer, kind: Kind): Promise<void> {
  const { id, method } = await server.next();
  const unknown = { jsonrpc: "2.0", id, error: { code: -32601, message: "Unknown" } };
  if (kind === "is gone") return server.receiver.closed();
  if (method === "server/discover") {
    if (kind === "stateless") return server.answer(id, discovered());
    if (kind === "exits on the probe") return server.receiver.closed();
    server.say(unknown);
    return serve(server, kind);
  }
  if (kind === "stateless") return server.say(unknown);
  server.answer(id, initialized);
}

function process(kinds: readonly Kind[]) {
  const started: RawPeer[] = [];
  const start = (): Transport => {
    const server = new RawPeer();
    void serve(server, kinds[Math.min(started.length, kinds.length - 1)]!);
    started.push(server);
    return server;
  };
  const methods = (): string[][] =>
    started.map(({ received }) => received.map(({ method }) => method));
  return { start, methods };
}

test("a process that exits on the probe is started again and gets a handshake (ERA-06)", async () => {
  const { start, methods } = process(["exits on the probe"]);
  const client = await connect(start);
  expect(client.era).toBe("session");
  expect(methods()).toEqual([["server/discover"], ["initialize", "notifications/initialized"]]);
});

test("a process that exits on every attempt is not started forever (ERA-06)", async () => {
  const { start, methods } = process(["is gone"]);
  await expect(connect(start)).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  expect(methods()).toEqual([["server/discover"], ["initialize"]]);
});

test("a transport that the user passes is used only once (ERA-06)", async () => {
  const server = new RawPeer();
  void serve(server, "exits on the probe");
  await expect(connect(server)).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
});

/** Creates a server on the web that can turn into another one. */
function website(first: "stateless" | "session") {
  const site = { kind: first, asked: [] as string[], refusal: 0, fetch };
  async function fetch(_url: URL, init: RequestInit): Promise<Response> {
    if (init.method !== "POST") return new Response(null, { status: 405 });
    const { id, method } = JSON.parse(init.body as string);
    site.asked.push(method);
    if (site.refusal > 0) return new Response(null, { status: site.refusal });
    if (id === undefined) return new Response(null, { status: 202 });
    const results: Record<string, object | undefined> =
      site.kind === "stateless" ? { "server/discover": discovered() } : { initialize: initialized };
    const result = results[method];
    const answer = result ? { result } : { error: { code: -32601, message: "Unknown" } };
    return Response.json({ jsonrpc: "2.0", id, ...answer });
  }
  return site;
}

async function visit(site: ReturnType<typeof website>, eras: EraCache | false): Promise<Era> {
  const client = await connect("http://server.example/mcp?key=1", {
    eras,
    http: { fetch: site.fetch, sse: "never" },
  });
  await client.close();
  return client.era;
}

test("the era of a server is detected once (ERA-12, VER-09)", async () => {
  const eras = new MemoryEraCache();
  const site = website("session");
  expect(await visit(site, eras)).toBe("session");
  expect(await visit(site, eras)).toBe("session");
  expect(site.asked.filter((method) => method === "server/discover")).toHaveLength(1);
  expect(eras.get("http://server.example/mcp")).toBe("session");
  await visit(site, false);
  expect(site.asked.filter((method) => method === "server/discover")).toHaveLength(2);
});

test.each([
  ["session", "stateless"],
  ["stateless", "session"],
] as const)(
  "a server of the %s era may later change to the other (ERA-12)",
  async (before, after) => {
    const eras = new MemoryEraCache();
    const site = website(before);
    expect(await visit(site, eras)).toBe(before);
    site.kind = after;
    expect(await visit(site, eras)).toBe(after);
    expect(eras.get("http://server.example/mcp")).toBe(after);
  },
);

test.each([401, 403, 429, 500, 503])(
  "the status %d is no evidence of an era and is not remembered (ERA-10)",
  async (status) => {
    const eras = new MemoryEraCache();
    const site = website("session");
    site.refusal = status;
    await expect(visit(site, eras)).rejects.toMatchObject({ code: "HTTP", status });
    expect(new Set(site.asked)).toEqual(new Set(["server/discover"]));
    expect(eras.get("http://server.example/mcp")).toBeUndefined();
  },
);

test.each([401, 403, 429, 503])(
  "the status %d does not contradict what is remembered",
  async (status) => {
    const eras = new MemoryEraCache();
    const site = website("session");
    await visit(site, eras);
    site.asked.length = 0;
    site.refusal = status;
    await expect(visit(site, eras)).rejects.toMatchObject({ code: "HTTP", status });
    expect(site.asked).toEqual(["initialize"]);
    expect(eras.get("http://server.example/mcp")).toBe("session");
  },
);

test("remembered servers expire and are bounded in number (ERA-12)", async () => {
  const eras = new MemoryEraCache({ maxEntries: 2, maxAge: 20 });
  for (const name of ["a", "b", "c"]) eras.set(name, "stateless");
  expect([eras.get("a"), eras.get("b"), eras.get("c")]).toEqual([
    undefined,
    "stateless",
    "stateless",
  ]);
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect(eras.get("c")).toBeUndefined();
});

test("an invalid target is rejected", async () => {
  await expect(connect({} as never)).rejects.toThrow(TypeError);
  await expect(connect("not a url")).rejects.toThrow(TypeError);
});

test("connecting can be aborted", async () => {
  const abort = new AbortController();
  const server = new RawPeer();
  const connecting = connect(server, { signal: abort.signal });
  await server.next();
  abort.abort(new Error("enough"));
  await expect(connecting).rejects.toThrow("enough");
});

test("a server that had sessions, and now refuses like a stateless one, does not lead to HTTP+SSE (SSE-14)", async () => {
  const eras = new MemoryEraCache();
  eras.set("http://server.example/mcp", "session");
  const requested: string[] = [];
  const fetch = async (_: URL, { method, body }: RequestInit): Promise<Response> => {
    const request = method === "POST" ? JSON.parse(body as string) : { method };
    requested.push(request.method);
    if (request.method === "server/discover")
      return Response.json({ jsonrpc: "2.0", id: request.id, result: discovered() });
    const error = { code: -32022, message: "?", data: { supported: ["2026-07-28"] } };
    return Response.json({ jsonrpc: "2.0", error }, { status: 400 });
  };
  const client = await connect("http://server.example/mcp", { eras, http: { fetch } });
  expect(client.era).toBe("stateless");
  expect(requested).toEqual(["initialize", "server/discover"]);
});
