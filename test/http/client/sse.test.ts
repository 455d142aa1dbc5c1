import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { Client } from "../../../generated/2024-11-05/index.js";
import { Client as NewestClient } from "../../../generated/2025-11-25/index.js";
import {
  type HttpClientOptions,
  HttpClientTransport,
  SseClientTransport,
} from "../../../runtime/http/client/index.js";
import { closeAfter, connected, fixture } from "./support/clients.js";
import {
  end,
  event,
  initialized,
  json,
  mcpServer,
  resultFor,
  stream,
} from "./support/mcp-server.js";
import { type Handle, RawServer } from "./support/raw-server.js";

const endpoint = (uri: string): string => `event: endpoint\ndata: ${uri}\n\n`;

interface OldScript {
  readonly endpoint?: string;
  /** Refuses a POST to the stream's own URL. */
  readonly refusal?: Handle;
  readonly on?: Readonly<Record<string, (send: ServerResponse) => void>>;
}

/** Starts a server that supports only the older transport. */
async function oldServer(script: OldScript = {}): Promise<RawServer> {
  const { refusal = (_, response) => end(response, 405) } = script;
  let events: ServerResponse;
  const server = await RawServer.start((seen, response) => {
    if (seen.method === "GET") {
      events = response;
      return stream(response, endpoint(script.endpoint ?? "/messages?id=1"));
    }
    if (seen.path === "/mcp") return refusal(seen, response);
    response.writeHead(202).end("Accepted");
    const { method, id } = seen.body;
    const handle = script.on?.[method];
    if (handle) return handle(events);
    if (id === undefined || method === undefined) return;
    const result = method === "initialize" ? initialized("2024-11-05") : {};
    events.write(`event: message\n${event(resultFor(seen, result))}`);
  });
  return closeAfter(server);
}

async function connectOld(server: RawServer, options: HttpClientOptions = {}): Promise<Client> {
  const client = closeAfter(new Client({ name: "ours", version: "1" }, {}));
  await client.connect(new SseClientTransport(server.url, options));
  return client;
}

describe("HTTP+SSE", () => {
  it("posts to the endpoint and reads from the stream (SSE-02, SSE-03, SSE-04, SSE-05, SSE-08)", async () => {
    const server = await oldServer();
    const client = await connectOld(server, { headers: { authorization: "Bearer x" } });
    expect(client.revision).toBe("2024-11-05");
    expect(await client.ping()).toEqual({});
    expect(server.of("POST").map(({ path }) => path)).toEqual(Array(3).fill("/messages?id=1"));
    for (const { headers } of server.seen) {
      expect(headers.authorization).toBe("Bearer x");
      expect(headers).not.toHaveProperty("mcp-session-id");
      expect(headers).not.toHaveProperty("mcp-protocol-version");
    }
    expect(server.of("GET")).toHaveLength(1);
    await client.close();
    expect(server.of("DELETE")).toEqual([]);
  });

  it.each(["http://evil.example/messages", "//evil.example/", "file:///etc/passwd", "http://u:p@"])(
    "rejects the endpoint %s (SSE-09)",
    async (uri) => {
      const server = await oldServer({ endpoint: uri });
      const refused = { code: "HTTP", message: expect.stringContaining("as its endpoint, which") };
      await expect(connectOld(server)).rejects.toMatchObject(refused);
      expect(server.of("POST")).toEqual([]);
    },
  );

  it("accepts an absolute endpoint of its own origin", async () => {
    const server = await RawServer.start((seen, response) => {
      if (seen.method === "GET") return stream(response, endpoint(`${server.origin}/there`));
      end(response, 403);
    });
    closeAfter(server);
    await expect(connectOld(server, { endpointTimeout: Infinity })).rejects.toMatchObject({
      status: 403,
    });
    expect(server.of("POST").map(({ path }) => path)).toEqual(["/there"]);
  });

  it.each<[string, Handle]>([
    ["another event first", (_, response) => stream(response, event({}))],
    ["no event", (_, response) => void (stream(response), response.end())],
    ["no stream", (_, response) => json(response, 200, {})],
    ["404", (_, response) => end(response, 404)],
    ["nothing in time", (_, response) => stream(response, ":\n\n")],
  ])("does not connect to a server that answers with %s", async (_, handle) => {
    const server = closeAfter(await RawServer.start(handle));
    await expect(connectOld(server, { endpointTimeout: 200 })).rejects.toMatchObject({
      code: "HTTP",
    });
  });

  it("accepts an HTTP error whose body is the response as the response", async () => {
    const server = await RawServer.start((seen, response) => {
      if (seen.method === "GET") return stream(response, endpoint("/messages"));
      const error = { code: -32602, message: "No such revision" };
      json(response, 400, { jsonrpc: "2.0", id: seen.body.id, error });
    });
    closeAfter(server);
    await expect(connectOld(server)).rejects.toMatchObject({
      name: "RpcError",
      code: -32602,
      message: "No such revision",
    });
  });

  it("does not accept an HTTP error whose body is the response to another request", async () => {
    const server = await RawServer.start((seen, response) => {
      if (seen.method === "GET") return stream(response, endpoint("/messages"));
      json(response, 400, { jsonrpc: "2.0", id: "other", error: { code: 1, message: "No" } });
    });
    closeAfter(server);
    await expect(connectOld(server)).rejects.toMatchObject({ name: "HttpError", status: 400 });
  });

  it("ends with its stream (SSE-08)", async () => {
    const server = await oldServer({ on: { ping: (events) => void events.end() } });
    const client = await connectOld(server);
    await expect(client.ping(undefined, { timeout: Infinity })).rejects.toMatchObject({
      code: "CONNECTION_CLOSED",
    });
    expect((await client.closed)?.message).toContain("The stream of the server has ended");
  });

  it("closes at once at a message above the limit, and names the limit and the option", async () => {
    const big = `event: message\n${event({ x: "y".repeat(20_000) })}`;
    const server = await oldServer({ on: { ping: (events) => void events.write(big) } });
    const client = await connectOld(server, { maxMessageBytes: 10_000 });
    await expect(client.ping(undefined, { timeout: Infinity })).rejects.toMatchObject({
      code: "CONNECTION_CLOSED",
      message: expect.stringContaining("more than 10000 characters (option maxMessageBytes)"),
    });
  });

  it("rejects the request that the server refuses", async () => {
    const server = closeAfter(
      await RawServer.start((seen, response) => {
        if (seen.method === "GET") return stream(response, endpoint("/messages"));
        end(response, 404);
      }),
    );
    await expect(connectOld(server)).rejects.toMatchObject({ name: "HttpError", status: 404 });
  });
});

describe("falling back to HTTP+SSE", () => {
  const sdkRefusal = { jsonrpc: "2.0", id: null, error: { code: -32000, message: "No session" } };

  it.each<[string, Handle]>([
    ["400", (_, response) => end(response, 400)],
    ["400 and a reason", (_, response) => json(response, 400, sdkRefusal)],
    ["404", (_, response) => end(response, 404)],
    ["405", (_, response) => end(response, 405)],
  ])("happens when the first message is answered with %s (SSE-12, SSE-13)", async (_, refusal) => {
    const server = await oldServer({ refusal });
    const client = closeAfter(new Client({ name: "ours", version: "1" }, {}));
    await client.connect(new HttpClientTransport(server.url));
    expect(await client.ping()).toEqual({});
    expect(server.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /mcp",
      "GET /mcp",
      ...Array<string>(3).fill("POST /messages?id=1"),
    ]);
  });

  it("happens at any other 4xx if the revision says so (SSE-12)", async () => {
    const server = await oldServer({ refusal: (_, response) => end(response, 422) });
    const newest = closeAfter(new NewestClient({ name: "ours", version: "1" }, {}));
    await expect(newest.connect(new HttpClientTransport(server.url))).rejects.toMatchObject({
      status: 422,
    });
    const client = closeAfter(new Client({ name: "ours", version: "1" }, {}));
    await client.connect(new HttpClientTransport(server.url));
    expect(client.revision).toBe("2024-11-05");
  });

  it("reports the first refusal if the fallback fails too", async () => {
    const server = closeAfter(
      await RawServer.start((_, response) => json(response, 404, sdkRefusal)),
    );
    const { client, transport } = fixture(server);
    await expect(client.connect(transport)).rejects.toMatchObject({
      name: "HttpError",
      status: 404,
      message: expect.stringContaining("No session"),
    });
    expect(server.of("GET")).toHaveLength(1);
  });

  it("does not happen after a response, or if it is switched off", async () => {
    const error = { code: -32602, message: "Unsupported" };
    const server = await oldServer({
      refusal: ({ body }, response) => json(response, 400, { jsonrpc: "2.0", id: body.id, error }),
    });
    const { client, transport } = fixture(server);
    await expect(client.connect(transport)).rejects.toMatchObject({ name: "RpcError" });
    const plain = await oldServer();
    const never = fixture(plain, { sse: "never" });
    await expect(never.client.connect(never.transport)).rejects.toMatchObject({ status: 405 });
    expect([...server.of("GET"), ...plain.of("GET")]).toEqual([]);
  });

  it("does not happen later in the connection", async () => {
    const script = { on: { ping: ((_, response) => end(response, 405)) satisfies Handle } };
    const server = closeAfter(await mcpServer(script));
    const { client } = await connected(server, { listen: false });
    await expect(client.ping()).rejects.toMatchObject({ status: 405 });
    expect(server.of("GET")).toEqual([]);
  });

  it("is unnecessary if the user names the transport", async () => {
    const server = await oldServer();
    const client = closeAfter(new Client({ name: "ours", version: "1" }, {}));
    await client.connect(new HttpClientTransport(server.url, { sse: "only" }));
    expect(server.seen[0]!.method).toBe("GET");
    expect(await client.ping()).toEqual({});
  });
});
