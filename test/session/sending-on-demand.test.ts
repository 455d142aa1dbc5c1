import { PassThrough } from "node:stream";
import type { HandlerContext, RequestId } from "@mcp-codegen/runtime";
import { beforeEach, expect, it, vi } from "vitest";
import { RawPeer } from "../engine/support/raw-peer.js";
import { eventually } from "../support/eventually.js";

// Each test loads the code for requests as if for the first time.
beforeEach(() => void vi.resetModules());

const info = { name: "s", version: "1" };
const initialize = (capabilities: object) => ({
  protocolVersion: "2025-11-25",
  capabilities,
  clientInfo: { name: "c", version: "1" },
});
const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };
const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "a" } };
const message = { level: "info", data: "after the request" };

type Send = (method: string, params?: object) => Promise<unknown>;

/** Sends a request without waiting for it, and then a notification. */
function inOrder({ request, notify }: Pick<HandlerContext, "request" | "notify">): object {
  (request as unknown as Send)("roots/list").catch(() => {});
  void (notify as unknown as Send)("notifications/message", message);
  return { content: [] };
}

async function serverOf(handlers: object = {}, options: object = {}) {
  const { Server } = await import("@mcp-codegen/2025-11-25");
  const errors: Error[] = [];
  const server = new Server(
    info,
    { "tools/call": (_params: unknown, ctx: HandlerContext) => inOrder(ctx), ...handlers } as never,
    { capabilities: { logging: {} }, onerror: (error) => void errors.push(error), ...options },
  );
  return { server, errors, ask: server.request.bind(server) as unknown as Send };
}

async function connected(
  server: Awaited<ReturnType<typeof serverOf>>["server"],
  capabilities = {},
) {
  const raw = new RawPeer();
  await server.connect(raw);
  await raw.call("init", "initialize", initialize(capabilities));
  raw.say(initialized);
  return raw;
}

it("over stdio, a request of a handler precedes the notification that follows it", async () => {
  const { server } = await serverOf();
  const { StdioServerTransport } = await import("@mcp-codegen/runtime/stdio");
  const [input, output] = [new PassThrough(), new PassThrough()];
  const written: string[] = [];
  output.on("data", (chunk: Uint8Array) => written.push(new TextDecoder().decode(chunk)));
  await server.connect(new StdioServerTransport({ input, output }));
  const first = { jsonrpc: "2.0", id: 0, method: "initialize", params: initialize({ roots: {} }) };
  // All messages arrive before the code has been loaded.
  input.write([first, initialized, call].map((one) => `${JSON.stringify(one)}\n`).join(""));
  await eventually(() => expect(written.join("").trimEnd().split("\n")).toHaveLength(4));
  const lines = written.join("").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { id: 0, result: {} },
    { method: "roots/list" },
    { method: "notifications/message" },
    { id: 1, result: {} },
  ]);
  await server.close();
});

it("over Streamable HTTP, a request of a handler precedes the notification that follows it", async () => {
  const { server } = await serverOf();
  const { createHttpHandler } = await import("@mcp-codegen/runtime/http/server");
  const { fetch } = createHttpHandler(server);
  const post = (body: object, headers: object = {}) =>
    fetch(
      new Request("http://localhost/mcp", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers,
        },
        body: JSON.stringify(body),
      }),
    );
  const opened = await post({
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: initialize({ roots: {} }),
  });
  const session = {
    "mcp-session-id": opened.headers.get("mcp-session-id")!,
    "mcp-protocol-version": "2025-11-25",
  };
  await post(initialized, session);
  const text = await (await post(call, session)).text();
  const sent = [...text.matchAll(/^data: (\{.*)$/gm)].map(
    ([, json]) => JSON.parse(json!) as object,
  );
  expect(sent).toMatchObject([
    { method: "roots/list" },
    { method: "notifications/message" },
    { id: 1, result: {} },
  ]);
  await server.close();
});

it("in a session that was opened elsewhere, a request precedes the notification that follows it", async () => {
  const { server } = await serverOf();
  const raw = new RawPeer();
  const opening = initialize({ roots: {} });
  await server.connect(raw, { assume: "2025-11-25", opening });
  raw.say(call);
  expect([await raw.next(), await raw.next(), await raw.next()]).toMatchObject([
    { method: "roots/list" },
    { method: "notifications/message" },
    { id: 1, result: {} },
  ]);
  await server.close();
});

it("a client without capabilities is sent pings, and its answers are received", async () => {
  const { server, ask } = await serverOf();
  const raw = await connected(server);
  const ping = ask("ping");
  const { id, method } = await raw.next();
  expect(method).toBe("ping");
  raw.answer(id, {});
  await expect(ping).resolves.toEqual({});
  await server.close();
});

it("a request that the capabilities of the client do not permit is refused", async () => {
  const { server, ask } = await serverOf();
  const raw = await connected(server);
  await expect(ask("roots/list")).rejects.toThrow("client.roots, which is not declared");
  expect(await raw.rest()).toEqual([]);
  await server.close();
});

it("a request ends with the connection that closes while its code is loaded", async () => {
  const { server, ask } = await serverOf();
  const raw = await connected(server);
  const ping = ask("ping");
  await server.close();
  await expect(ping).rejects.toThrow("The connection was closed on this side");
  expect(await raw.rest()).toEqual([]);
});

it("a request whose failure is not handled ends no process", async () => {
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  const { server, ask } = await serverOf();
  await connected(server);
  void ask("ping");
  await server.close();
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

it("a request of a handler that is cancelled while its code is loaded is not sent", async () => {
  let requested: Promise<unknown> | undefined;
  const { server } = await serverOf({
    "tools/call": (_params: unknown, { request }: HandlerContext) => {
      requested = (request as unknown as Send)("ping");
      return requested;
    },
  });
  const raw = await connected(server);
  raw.say(call);
  raw.say({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
  await eventually(() => expect(requested).toBeDefined());
  await expect(requested).rejects.toMatchObject({ code: "REQUEST_CANCELLED" });
  expect(await raw.rest()).toEqual([]);
  await server.close();
});

it("responses and progress are reported if nothing was requested", async () => {
  const { server, errors } = await serverOf();
  const raw = await connected(server);
  raw.answer(7 as RequestId, {});
  const params = { progressToken: 7, progress: 1 };
  raw.say({ jsonrpc: "2.0", method: "notifications/progress", params });
  await eventually(() => expect(errors).toHaveLength(2));
  expect(errors.map((error) => error.message)).toEqual([
    'An answer has the id "7", which belongs to no request',
    'Progress for "7", which is not a known token',
  ]);
  await server.close();
});
