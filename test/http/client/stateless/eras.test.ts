import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { revision as older } from "../../../../generated/2025-06-18/methods.js";
import { revision as shaken } from "../../../../generated/2025-11-25/methods.js";
import { revision as newest } from "../../../../generated/2026-07-28/methods.js";
import { ClientBase } from "../../../../runtime/engine/index.js";
import {
  AuthorizationError,
  HttpClientTransport,
  HttpError,
} from "../../../../runtime/http/client/index.js";
import { clientOfAnyKind } from "../../../../runtime/negotiation/index.js";
import { closeAfter } from "../support/clients.js";
import { serve as serveSessions } from "../support/mcp-server.js";
import { type SdkMode, SdkServer } from "../support/sdk-server.js";
import { answerWith, discovered } from "./support/scripted.js";
import { answer, end, event, type Handle, json, serve, stream } from "./support/wire.js";

type Anything = Record<string, never>;
type Messages = Record<string, { params?: Anything; result: unknown }>;

/** A client that works with servers of every kind. */
class AnyClient extends ClientBase<
  Messages,
  Record<string, { params?: Anything }>,
  unknown,
  unknown
> {
  constructor() {
    const info = { name: "any", version: "1.0.0" };
    super([newest, shaken, older], info, {}, { onerror: () => {} }, clientOfAnyKind);
  }
}

async function connectedTo(url: string): Promise<AnyClient> {
  const client = closeAfter(new AnyClient());
  await client.connect(new HttpClientTransport(url));
  return client;
}

const refusal = (code: number, id: unknown): object => ({
  jsonrpc: "2.0",
  id,
  error: { code, message: "Bad Request: Server not initialized" },
});

describe("a client for servers of every era, over HTTP", () => {
  it("uses stateless requests if the server supports them (ERA-02)", async () => {
    const server = await serve({ "server/discover": answerWith(discovered()) });
    expect((await connectedTo(server.url)).revision).toBe(newest.id);
    expect(server.seen.map(({ body }) => body.method)).toEqual(["server/discover"]);
  });

  it.each<[string, Handle]>([
    ["400 without a body", (_, response) => end(response, 400)],
    ["400 with text", (_, response) => void response.writeHead(400).end("Bad Request")],
    ["400 for want of a session", (_, response) => json(response, 400, refusal(-32000, null))],
    ["400 for the version", (_, response) => json(response, 400, refusal(-32000, "server-error"))],
    ["404", (_, response) => end(response, 404)],
    ["405", (_, response) => end(response, 405)],
    [
      "404 with a JSON-RPC error",
      ({ body }, response) => json(response, 404, refusal(-32601, body.id)),
    ],
    [
      "200 with a JSON-RPC error",
      ({ body }, response) => json(response, 200, refusal(-32602, body.id)),
    ],
    [
      "a stream with an error",
      ({ body }, response) => {
        stream(response);
        response.end(event(refusal(-32601, body.id)));
      },
    ],
    ["a result of another type", (seen, response) => answer(response, seen, {})],
    ["202", (_, response) => end(response, 202)],
    [
      "HTML",
      (_, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<p>"),
    ],
  ])("opens a session after %s (ERA-07, ERA-11, ERA-23)", async (_, handle) => {
    const server = await serveSessions({ sessions: ["s"], on: { "server/discover": handle } });
    const client = await connectedTo(server.url);
    expect(client.revision).toBe(shaken.id);
    await client.request("ping");
    expect(server.of("ping")[0]!.headers).toMatchObject({ "mcp-session-id": "s" });
    expect(server.of("answer")).toEqual([]);
  });

  it("falls back to HTTP+SSE after that (ERA-09)", async () => {
    let send: ((value: unknown) => void) | undefined;
    const server = await serve({
      "server/discover": (_, response) => end(response, 405),
      initialize: ({ path, body }, response) => {
        if (path === "/mcp") return end(response, 405);
        const result = {
          protocolVersion: older.id,
          capabilities: {},
          serverInfo: { name: "old", version: "0" },
        };
        end(response, 202);
        send!({ jsonrpc: "2.0", id: body.id, result });
      },
      GET: (_, response) => {
        stream(response, "event: endpoint\ndata: /messages\n\n");
        send = (value) => void response.write(event(value));
      },
    });
    expect((await connectedTo(server.url)).revision).toBe(older.id);
  });

  it.each([
    [401, AuthorizationError],
    [403, HttpError],
    [429, HttpError],
    [500, HttpError],
    [503, HttpError],
  ])("draws no conclusion from %i (ERA-10)", async (status, type) => {
    const server = await serve({ "server/discover": (_, response) => end(response, status) });
    await expect(connectedTo(server.url)).rejects.toBeInstanceOf(type);
    expect(server.seen).toHaveLength(1);
  });

  it("draws no conclusion from a server that cannot be reached (ERA-10)", async () => {
    const server = await serve();
    const { url } = server;
    await server.stop();
    await expect(connectedTo(url)).rejects.toThrow(HttpError);
  });

  it("stays stateless with a server of another stateless revision (ERA-03)", async () => {
    const server = await serve({
      "server/discover": ({ body }, response) => {
        const data = { supported: ["2099-01-01"], requested: newest.id };
        json(response, 400, {
          ...refusal(-32022, body.id),
          error: { code: -32022, message: "no", data },
        });
      },
    });
    await expect(connectedTo(server.url)).rejects.toThrow("2099-01-01");
    expect(server.of("initialize")).toEqual([]);
  });

  it("drops a late discovery once a session is open (ERA-06)", async () => {
    const server = await serveSessions({
      on: { "server/discover": (_, response) => stream(response) },
    });
    const client = closeAfter(new AnyClient());
    await client.connect(new HttpClientTransport(server.url, { listen: false }), {
      probeTimeout: 50,
    });
    expect(client.revision).toBe(shaken.id);
    await expect.poll(() => server.streaming()).toBe(0);
  });
});

const servers: ["v1" | "v2", SdkMode][] = [
  ["v1", "events"],
  ["v1", "json"],
  ["v1", "stateless"],
  ["v1", "sse"],
  ["v2", "events"],
];

describe.each(servers)("a server on SDK %s with %s", (generation, mode) => {
  let server: SdkServer;
  beforeAll(async () => {
    server = await SdkServer.start(generation, mode);
  });
  afterAll(() => server.stop());

  it("is recognised as one that needs a session (ERA-04, ERA-07, ERA-09)", async () => {
    const client = await connectedTo(server.url);
    expect(client.revision).toBe(shaken.id);
    const params = { name: "echo", arguments: { value: "hi" } } as unknown as Anything;
    expect(await client.request("tools/call", params)).toMatchObject({ content: [{ text: "hi" }] });
  });
});
