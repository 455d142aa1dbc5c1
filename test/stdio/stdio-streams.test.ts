import { PassThrough } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import { StdioServerTransport } from "../../runtime/stdio/serve-stdio.js";
import { TinyServer } from "../engine/support/tiny-endpoints.js";

function serving(options: object = {}) {
  const [input, output] = [new PassThrough(), new PassThrough({ highWaterMark: 1 })];
  const notified = { count: 0 };
  const server = new TinyServer({
    "text/echo": ({ text }: { text: string }) => ({ text }),
    "text/work": async () => ({}),
    "text/watch": async (_params: never, { notify }) => {
      for (; notified.count < 10_000; notified.count++) {
        await notify("notifications/news", { headline: "x".repeat(1000) });
      }
      return {};
    },
  });
  const transport = new StdioServerTransport({ input, output, ...options });
  return { input, output, server, notified, transport, connected: server.connect(transport) };
}

describe("StdioServerTransport with given streams (STDIO-20)", () => {
  const initialize =
    '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"one","capabilities":{},"clientInfo":{}}}\n';
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
  const work = '{"jsonrpc":"2.0","id":2,"method":"text/work"}\n';

  it("writes the responses to one chunk at once, and late ones too", async () => {
    const { input, output, connected } = serving();
    await connected;
    const writes: string[] = [];
    output.on("data", (chunk: Uint8Array) => writes.push(new TextDecoder().decode(chunk)));
    input.write(initialize + ping + ping);
    input.write(work + work.replace("2}", "3}"));
    await vi.waitUntil(() => writes.join("").split("\n").length > 5, { timeout: 20_000 });
    expect(writes.map((text) => text.trimEnd().split("\n").length).slice(0, 1)).toEqual([3]);
    expect(writes.join("").trimEnd().split("\n")).toHaveLength(5);
  });

  it("fails if the peer does not read at all", async () => {
    const { input, server, connected } = serving({ maxWaitingBytes: 10_000 });
    await connected;
    input.write(initialize);
    const text = "x".repeat(1000);
    for (let id = 1; id < 100; id++) {
      input.write(
        `${JSON.stringify({ jsonrpc: "2.0", id, method: "text/echo", params: { text } })}\n`,
      );
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await server.closed)?.message).toMatch(/does not read: \d+ bytes are waiting/);
  });

  it("delays a handler that sends without end and never yields", async () => {
    const { input, output, connected, notified } = serving();
    await connected;
    output.resume();
    input.write(initialize);
    output.pause();
    input.write(work.replace("text/work", "text/watch"));
    await vi.waitUntil(() => notified.count > 0, { timeout: 20_000 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(notified.count).toBeLessThan(2000);
    output.resume();
    await vi.waitUntil(() => notified.count === 10_000, { timeout: 20_000 });
  });

  it("accepts one connection: a second one is rejected, before and after its end", async () => {
    const { transport, server, connected } = serving();
    await connected;
    const used = { code: "CONNECTION_CLOSED", message: expect.stringContaining("used before") };
    await expect(new TinyServer().connect(transport)).rejects.toMatchObject(used);
    await server.close();
    await expect(server.connect(transport)).rejects.toMatchObject(used);
  });

  it("accepts text chunks", async () => {
    const { input, output, connected } = serving();
    await connected;
    input.setEncoding("utf8");
    input.write(initialize);
    const [chunk] = await new Promise<[Uint8Array]>((resolve) =>
      output.once("data", (...chunks: [Uint8Array]) => resolve(chunks)),
    );
    expect(JSON.parse(new TextDecoder().decode(chunk)).id).toBe(0);
  });

  it("closes the connection with the error of a broken input", async () => {
    const { input, server, connected } = serving();
    await connected;
    const cause = new Error("disk on fire");
    input.destroy(cause);
    expect(await server.closed).toBe(cause);
  });
});
