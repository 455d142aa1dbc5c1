import { connect as connectSocket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { McpServer, revisions } from "../../../generated/universal/index.js";
import {
  createHttpHandler,
  type HttpHandler,
  type HttpHandlerOptions,
} from "../../../runtime/http/server/index.js";
import { ACCEPT, initialize, overNode, serve, tool, WAYS } from "./serve.js";
import { ToyServer } from "./toy-server.js";

const newest = revisions[0]!.id;
const META = "io.modelcontextprotocol/";

function handlerOf(options: HttpHandlerOptions): HttpHandler {
  const server = new McpServer({ name: "s", version: "1" }, { onerror() {} });
  server.registerTool("a", {}, () => "");
  const handler = createHttpHandler(server, { onerror() {}, ...options });
  onTestFinished(() => handler.close(0));
  return handler;
}

/** Subscribes with a message that is padded with the given number of characters. */
function listen(handler: HttpHandler, length: number, signal?: AbortSignal): Promise<Response> {
  const meta = {
    [`${META}protocolVersion`]: newest,
    [`${META}clientCapabilities`]: {},
    [`${META}clientInfo`]: { name: "c", version: "1" },
    pad: "x".repeat(length),
  };
  const params = { _meta: meta, notifications: { toolsListChanged: true } };
  const method = "subscriptions/listen";
  const headers = {
    "Content-Type": "application/json",
    Accept: ACCEPT,
    "MCP-Protocol-Version": newest,
    "Mcp-Method": method,
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: "l", method, params });
  const init = { method: "POST", headers, body, ...(signal && { signal }) };
  return handler(new Request("http://localhost/mcp", init));
}

describe("a message that opens a session or a subscription", () => {
  it("is limited in length (H07)", async () => {
    const handler = handlerOf({});
    const refused = await listen(handler, 70_000);
    const answer = (await refused.json()) as object;
    expect([refused.status, answer]).toMatchObject([413, { id: "l", error: {} }]);
    expect(JSON.stringify(answer)).toContain("maxInitializeBytes");
    expect((await listen(handler, 1000)).status).toBe(200);
    const opening = initialize("2025-11-25");
    opening.params.clientInfo.pad = "x".repeat(70_000);
    const init = {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: ACCEPT },
    };
    const body = JSON.stringify(opening);
    const response = await handler(new Request("http://localhost/mcp", { ...init, body }));
    expect(response.status).toBe(413);
  });

  it("counts towards the limit while a subscription is open (H07)", async () => {
    const handler = handlerOf({ maxBytesKept: 50_000 });
    const leaving = new AbortController();
    expect((await listen(handler, 30_000, leaving.signal)).status).toBe(200);
    expect((await listen(handler, 30_000)).status).toBe(503);
    expect((await listen(handler, 1000)).status).toBe(200);
    leaving.abort();
    await expect.poll(async () => (await listen(handler, 30_000)).status).toBe(200);
  });

  it("makes idle sessions end if all such messages are too long in total (H11)", async () => {
    const client = await serve(new ToyServer().server, { maxBytesKept: 50_000 });
    const open = async (): Promise<number> => {
      const opening = initialize("2025-11-25");
      opening.params.clientInfo.pad = "x".repeat(20_000);
      const response = await client.post(opening);
      await response.text();
      return response.status;
    };
    for (let count = 0; count < 5; count++) expect(await open()).toBe(200);
    expect(client.reached.handler.sessions).toBe(2);
  });
});

describe.each(WAYS)("without sessions, over $way", ({ reach }) => {
  it.each(["2025-03-26", "2025-06-18", "2025-11-25"])(
    "a dropped connection cancels nothing: %s (HTTP-17)",
    async (revision) => {
      const toy = new ToyServer([revision]);
      let finished = 0;
      toy.tools["slow"] = async (_, { progress }) => {
        progress(1);
        await toy.gate.passed;
        finished += 1;
        return { content: [] };
      };
      const client = await serve(toy.server, { sessions: false }, reach);
      client.headers["MCP-Protocol-Version"] = revision;
      const leaving = new AbortController();
      const { signal } = leaving;
      const requested = client.post(tool(1, "slow", {}, { progressToken: 1 }), {}, { signal });
      requested.catch(() => {});
      await expect.poll(() => toy.called).toEqual(["slow"]);
      leaving.abort();
      await new Promise((resolve) => setTimeout(resolve, 20));
      toy.gate.open();
      await expect.poll(() => finished).toBe(1);
      expect(toy.aborted).toEqual([]);
      await expect.poll(() => toy.server.sessions.size).toBe(0);
    },
  );
});

describe("a request target in absolute form", () => {
  it.each([
    ["of the server", "http://127.0.0.1/mcp", "localhost", 200],
    ["of another host", "http://evil.example/mcp", "localhost", 403],
    ["whose host overrides the Host field", "http://localhost/mcp", "evil.example", 200],
    ["of another path", "http://localhost/other", "localhost", 404],
  ])("is accepted: %s (H02)", async (_, target, host, status) => {
    const { port } = new URL((await overNode(handlerOf({}))).url);
    const body = JSON.stringify(initialize("2025-11-25"));
    const socket = connectSocket(Number(port), "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.write(
      `POST ${target} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
        `Accept: ${ACCEPT}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    const head = await new Promise<string>((resolve) => {
      socket.once("data", (data) => resolve(data.toString()));
    });
    expect(head).toContain(`HTTP/1.1 ${status}`);
  });
});

describe("what a platform passes with the request", () => {
  it("is never read as a body or a sender", async () => {
    const handler = handlerOf({});
    const post = (...more: readonly unknown[]): Promise<Response> =>
      (handler as (...args: readonly unknown[]) => Promise<Response>)(
        new Request("http://localhost/mcp", {
          method: "POST",
          headers: { "Content-Type": "application/json", Accept: ACCEPT },
          body: JSON.stringify(initialize("2025-11-25")),
        }),
        ...more,
      );
    const environment = { body: "{}", auth: { principal: "root" }, KEY: "value" };
    const context = { waitUntil() {}, passThroughOnException() {} };
    expect((await post(environment, context)).status).toBe(200);
    expect((await post({ body: "{}" })).status).toBe(400);
  });
});
