import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  connect as connectTo,
  type ConnectOptions,
  connectInMemory,
  revisions,
} from "@mcp-codegen/universal";
import { createHttpHandler, createSseHandler } from "../../../runtime/http/server/index.js";
import { listen } from "../../../runtime/http/node/index.js";
import { matrixServer } from "./server.js";

const [NEWEST, NOVEMBER, JUNE, MARCH, OLDEST] = revisions.map(({ id }) => id);

const those = (ids: readonly (string | undefined)[]) =>
  revisions.filter(({ id }) => ids.includes(id));

const connect = async (target: Parameters<typeof connectTo>[0], options: ConnectOptions = {}) => {
  const client = await connectTo(target, { eras: false, ...options });
  onTestFinished(() => client.close());
  return client;
};

const MODERN = [NEWEST];
const LEGACY = [NOVEMBER, JUNE, MARCH, OLDEST];
const DUAL = [NEWEST, NOVEMBER, JUNE, MARCH, OLDEST];

/** The revision that a client and a server agree on; undefined if there is none. */
const OUTCOMES: readonly (readonly [
  client: readonly (string | undefined)[],
  server: readonly (string | undefined)[],
  agreed: string | undefined,
])[] = [
  [MODERN, MODERN, NEWEST],
  [MODERN, DUAL, NEWEST],
  [MODERN, LEGACY, undefined],
  [DUAL, MODERN, NEWEST],
  [DUAL, DUAL, NEWEST],
  [DUAL, LEGACY, NOVEMBER],
  [LEGACY, MODERN, undefined],
  [LEGACY, DUAL, NOVEMBER],
  [LEGACY, LEGACY, NOVEMBER],
  [DUAL, [NEWEST, JUNE], NEWEST],
  [[NOVEMBER, MARCH], [NEWEST, MARCH], MARCH],
  [[NEWEST, JUNE], [NOVEMBER, JUNE, MARCH], JUNE],
  [[JUNE], [NOVEMBER], undefined],
];

describe.each(OUTCOMES)("a client of %j and a server of %j agree on %j", (own, theirs, agreed) => {
  /** Checks the outcome, or the error if there was no agreement. */
  async function check(connecting: ReturnType<typeof connect>): Promise<void> {
    if (agreed === undefined) {
      const error = (await connecting.then(
        () => undefined,
        (thrown: Error) => thrown,
      )) as Error & { code?: unknown };
      expect(error).toBeInstanceOf(Error);
      expect(error.message).not.toMatch(/undefined|\[object/);
      return;
    }
    const client = await connecting;
    expect(client.revision).toBe(agreed);
    expect(client.era).toBe(agreed === NEWEST ? "stateless" : "session");
    expect((await client.callTool("work")).content).toMatchObject([{ text: "done" }]);
    expect(client.server.info).toMatchObject({ name: "matrix" });
  }

  test("in memory, as over stdio", async () => {
    const server = matrixServer({ revisions: those(theirs) });
    const link = await connectInMemory(server);
    await check(connect(link, { revisions: those(own), probeTimeout: 300 }));
  });

  test("at a URL", async () => {
    const server = matrixServer({ revisions: those(theirs) });
    const { url, close } = await listen(createHttpHandler(server));
    onTestFinished(() => close(0));
    await check(connect(url, { revisions: those(own) }));
  });
});

test.each([undefined, 100])(
  "a URL whose first responses are late has the newest revision, with the probeTimeout %s (ERA-02)",
  async (probeTimeout) => {
    const handler = createHttpHandler(matrixServer({ revisions: those(DUAL) }));
    let warm: Promise<void> | undefined;
    const fetch = async (input: string | URL | Request, init?: RequestInit) => {
      await (warm ??= new Promise((resolve) => setTimeout(resolve, 400)));
      return globalThis.fetch(input, init);
    };
    const { url, close } = await listen(handler);
    onTestFinished(() => close(0));
    const client = await connect(url, { probeTimeout, http: { fetch } });
    expect(client.revision).toBe(NEWEST);
    expect((await client.callTool("work")).content).toMatchObject([{ text: "done" }]);
  },
);

/** Starts a server that handles requests in an unusual way. */
async function peculiar(handle: (method: string, message: { id: unknown }) => [number, unknown]) {
  const requests: string[] = [];
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    let text = "";
    for await (const piece of request) text += String(piece);
    if (request.method !== "POST") return response.writeHead(405).end();
    const message = JSON.parse(text) as { id: unknown; method: string };
    requests.push(message.method);
    const [status, body] = handle(message.method, message);
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, requests };
}

const initialized = {
  protocolVersion: NOVEMBER,
  capabilities: {},
  serverInfo: { name: "peculiar", version: "1" },
};

const answer = (id: unknown, more: object) => ({ jsonrpc: "2.0", id, ...more });

describe("servers that refuse the probe in unusual ways (ERA-07, ERA-11)", () => {
  test.each<[string, number, (id: unknown) => unknown]>([
    ["200 and -32601", 200, (id) => answer(id, { error: { code: -32601, message: "Unknown" } })],
    ["200 and -32602", 200, (id) => answer(id, { error: { code: -32602, message: "Wrong" } })],
    ["200 and a result of something else", 200, (id) => answer(id, { result: { tools: [] } })],
    ["400 without a body", 400, () => ""],
    ["400 and text", 400, () => "Bad Request: Missing session ID"],
    [
      "400 and an error without an id",
      400,
      () =>
        answer(null, { error: { code: -32000, message: "Bad Request: Server not initialized" } }),
    ],
    ["404 without a body", 404, () => ""],
    [
      "404 and a code of drafts",
      404,
      (id) => answer(id, { error: { code: -32004, message: "?" } }),
    ],
    ["405", 405, () => ""],
    ["415", 415, () => ""],
  ])("%s", async (_, status, body) => {
    const { url, requests } = await peculiar((method, { id }) =>
      method === "initialize"
        ? [200, answer(id, { result: initialized })]
        : method === "server/discover"
          ? [status, body(id)]
          : [202, ""],
    );
    const client = await connect(url);
    expect([client.era, client.revision]).toEqual(["session", NOVEMBER]);
    expect(requests).toEqual(["server/discover", "initialize", "notifications/initialized"]);
  });
});

const refusal = (id: unknown, supported: readonly unknown[]) =>
  answer(id, {
    error: { code: -32022, message: "Unsupported", data: { supported, requested: NEWEST } },
  });

describe("servers that name their versions (ERA-03, ERA-13)", () => {
  test("are used if a revision with a handshake is known", async () => {
    const { url, requests } = await peculiar((method, { id }) =>
      method === "initialize"
        ? [200, answer(id, { result: initialized })]
        : method === "server/discover"
          ? [400, refusal(id, ["2099-01-01", NOVEMBER])]
          : [202, ""],
    );
    expect((await connect(url)).revision).toBe(NOVEMBER);
    expect(requests.slice(0, 2)).toEqual(["server/discover", "initialize"]);
  });

  test("are rejected if no revision is known", async () => {
    const { url, requests } = await peculiar((_, { id }) => [400, refusal(id, ["2099-01-01"])]);
    await expect(connect(url)).rejects.toThrow("2099-01-01");
    expect(requests).toEqual(["server/discover"]);
  });
});

test.each([401, 403, 429, 500, 502, 503])(
  "%d does not show the era of a server, and no handshake is tried (ERA-10)",
  async (status) => {
    const { url, requests } = await peculiar(() => [status, ""]);
    await expect(connect(url)).rejects.toMatchObject({ status });
    expect(new Set(requests)).toEqual(new Set(["server/discover"]));
  },
);

test("an unknown method of a stateless server does not lead to a handshake (ERA-08)", async () => {
  const discovered = {
    supportedVersions: [NEWEST],
    capabilities: { tools: {} },
    resultType: "complete",
    ttlMs: 0,
    cacheScope: "private",
  };
  const { url, requests } = await peculiar((method, { id }) =>
    method === "server/discover"
      ? [200, answer(id, { result: discovered })]
      : [404, answer(id, { error: { code: -32601, message: "Method not found" } })],
  );
  const client = await connect(url);
  await expect(client.listTools()).rejects.toMatchObject({ code: -32601 });
  expect(client.era).toBe("stateless");
  expect(requests).not.toContain("initialize");
});

test.each([
  ["of the oldest revision", [OLDEST], OLDEST],
  ["of all revisions", DUAL, NOVEMBER],
])("an HTTP+SSE server %s is found at the URL of its stream (ERA-09)", async (_, ids, agreed) => {
  const server = matrixServer({ revisions: those(ids) });
  const sse = createSseHandler(server);
  const { port, close } = await listen({ "/sse": sse, "/messages": sse });
  onTestFinished(() => close(0));
  const client = await connect(`http://127.0.0.1:${port}/sse`, {
    onSample: () => ({ role: "assistant", content: { type: "text", text: "Paris" }, model: "m" }),
    onRoots: () => [{ uri: "file:///work" }],
  });
  expect(client.revision).toBe(agreed);
  expect((await client.callTool("sequence")).content).toMatchObject([
    { text: "ordered Nobody Paris (m) file:///work" },
  ]);
});
