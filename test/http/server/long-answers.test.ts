import { connect as connectSocket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  connect,
  McpServer,
  type McpClient,
  revisions,
} from "../../../generated/universal/index.js";
import { SseClientTransport } from "../../../runtime/http/client/index.js";
import { listen } from "../../../runtime/http/node/index.js";
import {
  createHttpHandler,
  createSseHandler,
  type HttpHandlerOptions,
} from "../../../runtime/http/server/index.js";

const MIB = 1024 * 1024;

interface Served {
  readonly url: string;
  readonly errors: string[];
  client(revision: string): Promise<McpClient>;
}

/**
 * Serves a tool whose response has the requested length, after notifications of the given length.
 */
async function serve(options: HttpHandlerOptions = {}): Promise<Served> {
  const server = new McpServer({ name: "s", version: "1" }, { onerror() {} });
  const inputSchema = {
    type: "object",
    properties: { size: { type: "integer" }, said: { type: "integer" }, wait: { type: "integer" } },
  } as const;
  server.registerTool("long", { inputSchema }, async (args, ctx) => {
    const { size = 0, said = 0, wait = 0 } = args as Record<string, number>;
    if (said > 0) ctx.progress(1, undefined, "€".repeat(said));
    await new Promise((resolve) => setTimeout(resolve, wait));
    return "é".repeat(size);
  });
  const errors: string[] = [];
  const all = { onerror: (error: Error) => void errors.push(error.message), ...options };
  const sse = createSseHandler(server, all);
  const routes = { "/mcp": createHttpHandler(server, all), "/sse": sse, "/messages": sse };
  const { url, close } = await listen(routes);
  onTestFinished(() => close(0));
  const client = async (revision: string): Promise<McpClient> => {
    const known = revisions.filter(({ id }) => id === revision);
    const target = new URL(url);
    target.pathname = "/sse";
    const connected = await connect(
      revision === "2024-11-05" ? new SseClientTransport(target.href) : url,
      { revisions: known, timeout: 20_000, onerror() {} } as never,
    );
    onTestFinished(() => connected.close());
    return connected;
  };
  return { url, errors, client };
}

async function lengthOf(client: McpClient, args: object, onprogress?: () => void): Promise<number> {
  const options = onprogress && { onprogress };
  const { content } = await client.callTool("long", args as never, options);
  return (content[0] as { text: string }).text.length;
}

const ignore = (): void => {};

const IDS = revisions.map(({ id }) => id);

describe("a response that is longer than the write queue allows", () => {
  it.each(IDS)("arrives, whatever was sent before it: %s", async (revision) => {
    const { client, errors } = await serve({ maxWaitingBytes: MIB, upgradeAfter: 50 });
    const connected = await client(revision);
    const size = 3 * MIB;
    expect(await lengthOf(connected, { size })).toBe(size);
    expect(await lengthOf(connected, { size, said: 1 }, ignore)).toBe(size);
    expect(await lengthOf(connected, { size, wait: 120 })).toBe(size);
    expect(errors).toEqual([]);
  });

  it.each(IDS)("follows a long message at once: %s", async (revision) => {
    const { client, errors } = await serve();
    const size = 5 * MIB;
    expect(await lengthOf(await client(revision), { size, said: size }, ignore)).toBe(size);
    expect(errors).toEqual([]);
  });

  it.each(IDS)(
    "becomes an error that says so if it exceeds the limit for responses: %s",
    async (id) => {
      const { client, errors } = await serve({ maxAnswerBytes: 10_000 });
      const connected = await client(id);
      expect(await lengthOf(connected, { size: 1000 })).toBe(1000);
      const failing = lengthOf(connected, { size: 20_000 });
      await expect(failing).rejects.toMatchObject({ code: -32603, message: /maxAnswerBytes/ });
      expect(errors.join()).toContain("maxAnswerBytes");
      expect(await lengthOf(connected, { size: 1000 })).toBe(1000);
    },
  );
});

/** Sends a request, and does not read the response. */
function unread(url: string, size: number, said = 0): { closed: Promise<void> } {
  const meta = "io.modelcontextprotocol/";
  const params = {
    name: "long",
    arguments: { size, said },
    _meta: {
      progressToken: 1,
      [`${meta}protocolVersion`]: IDS[0],
      [`${meta}clientCapabilities`]: {},
      [`${meta}clientInfo`]: { name: "c", version: "1" },
    },
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const { port } = new URL(url);
  const socket = connectSocket(Number(port), "127.0.0.1");
  socket.pause();
  socket.on("error", () => {});
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
      `Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: ${IDS[0]}\r\n` +
      `Mcp-Method: tools/call\r\nMcp-Name: long\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  onTestFinished(() => void socket.destroy());
  return { closed: new Promise((resolve) => socket.on("close", () => resolve())) };
}

describe("a client that does not read its response", () => {
  it.each([
    ["JSON", 0],
    ["a stream", 1],
  ])("is disconnected after a while: %s", async (_, said) => {
    const { url, errors } = await serve({ readerTimeout: 200 });
    unread(url, 8 * MIB, said);
    await expect.poll(() => errors.join()).toContain("readerTimeout");
  });

  it.each([
    ["JSON", 0],
    ["streams", 1],
  ])("is disconnected when the queues of all such clients are too long: %s", async (_, said) => {
    const { url, errors, client } = await serve({ maxUnreadBytes: 40 * MIB });
    for (let count = 0; count < 4; count++) unread(url, 8 * MIB, said);
    await expect.poll(() => errors.join()).toContain("maxUnreadBytes");
    const size = 4 * MIB;
    expect(await lengthOf(await client(IDS[0]!), { size })).toBe(size);
  });

  it("is told apart from one that reads slowly", async () => {
    // Each pause is far shorter than the limit, but together they exceed it.
    const { url, errors } = await serve({ readerTimeout: 2000 });
    const meta = { progressToken: 1 };
    const initialize = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "c", version: "1" },
    };
    const headers = {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    };
    const post = (body: object, more: object = {}): Promise<Response> =>
      fetch(url, {
        method: "POST",
        headers: { ...headers, ...more },
        body: JSON.stringify({ jsonrpc: "2.0", ...body }),
      });
    const opened = await post({ id: 0, method: "initialize", params: initialize });
    await opened.text();
    const more = {
      "Mcp-Session-Id": opened.headers.get("mcp-session-id")!,
      "MCP-Protocol-Version": "2025-11-25",
    };
    const size = 12 * MIB;
    const params = { name: "long", arguments: { size, said: 1 }, _meta: meta };
    const answer = await post({ id: 1, method: "tools/call", params }, more);
    let bytes = 0;
    let pauses = 0;
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes < (pauses + 1) * MIB) continue;
      pauses += 1;
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    expect(bytes).toBeGreaterThan(2 * size);
    expect(errors).toEqual([]);
  });
});
