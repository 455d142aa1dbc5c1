import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { Client } from "../../../generated/2025-11-25/index.js";
import { HttpClientTransport } from "../../../runtime/http/client/index.js";
import { readEventStream } from "../../../runtime/http/client/event-stream.js";
import { closeAfter, connected, until } from "./support/clients.js";
import { end, event, initialized, json, mcpServer, stream } from "./support/mcp-server.js";
import { RawServer } from "./support/raw-server.js";

const ping = (id: number) => event({ jsonrpc: "2.0", id, method: "ping" });

/** Starts a server that sends pings and holds back its responses to the answers. */
async function hoarder(count: number) {
  const hoarded: ServerResponse[] = [];
  const pings = Array.from({ length: count }, (_, id) => ping(id)).join("");
  const server = await mcpServer({
    on: {
      GET: (_, response) => stream(response, pings),
      answer: (_, response) => void hoarded.push(response),
    },
  });
  return { server: closeAfter(server), hoarded };
}

describe("a server that sends requests faster than it reads the responses", () => {
  it("receives a few responses at a time, and all of them in the end", async () => {
    const { server, hoarded } = await hoarder(100);
    const { client } = await connected(server);
    await until(() => hoarded.length === 4);
    expect(await client.ping()).toEqual({});
    expect(hoarded).toHaveLength(4);
    let taken = 0;
    while (taken < 100) {
      await until(() => hoarded.length > 0);
      expect(hoarded.length).toBeLessThanOrEqual(4);
      for (const response of hoarded.splice(0)) {
        taken += 1;
        end(response, 202);
      }
    }
    const ids = server.of("answer").map(({ body }) => body.id);
    expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, id) => id));
  });

  it("loses the connection when too many requests are queued", async () => {
    const { server, hoarded } = await hoarder(15_000);
    const { client } = await connected(server);
    const error = await client.closed;
    expect(error?.message).toContain("sends requests faster than it reads the responses");
    expect(hoarded.length).toBeLessThanOrEqual(4);
  });
});

describe("response bodies that the client does not need", () => {
  it("are read a few at a time, and never after the connection is closed", async () => {
    let dribbling = 0;
    const dribble = (response: ServerResponse): void => {
      response.writeHead(202).flushHeaders();
      dribbling += 1;
      const timer = setInterval(() => response.write("x"), 50);
      response.on("close", () => {
        clearInterval(timer);
        dribbling -= 1;
      });
    };
    const server = await RawServer.start(({ method, body }, response) => {
      if (method === "GET") return end(response, 405);
      if (method === "DELETE") return end(response, 200);
      if (body.method !== "initialize") return dribble(response);
      const result = initialized(body.params.protocolVersion);
      return json(response, 200, { jsonrpc: "2.0", id: body.id, result });
    });
    closeAfter(server);
    const capabilities = { roots: { listChanged: true } };
    const client = closeAfter(new Client({ name: "ours", version: "1" }, {}, { capabilities }));
    await client.connect(new HttpClientTransport(server.url));
    for (let count = 0; count < 50; count++) {
      await client.notify("notifications/roots/list_changed");
    }
    await expect.poll(() => dribbling).toBeLessThanOrEqual(10);
    await client.close();
    await expect.poll(() => dribbling).toBe(0);
  });
});

describe("a stream whose text never completes an event", () => {
  const limits = { maxMessageBytes: 100_000, idleTimeout: 10_000 };
  const read = async (text: string, times: number): Promise<string[]> => {
    const events: string[] = [];
    const piece = new TextEncoder().encode(text);
    let left = times;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (left-- > 0) controller.enqueue(piece);
        else controller.close();
      },
    });
    const sink = { event: (data: string) => void events.push(data), retry: () => {} };
    await readEventStream(new Response(body), limits, new AbortController().signal, sink);
    return events;
  };

  it.each([": a comment\n\n", "\r", "\n", "\r\n", "id: 1\n\n"])("ends at a limit: %j", (text) =>
    expect(read(text.repeat(10_000), 1000)).rejects.toThrow("characters without an event"),
  );

  it("is read in linear time if its lines end in CR alone", async () => {
    // Quadratic time would exceed a test's time limit.
    const text = "\r".repeat(700_000);
    expect(await read(`${text}data: x\r\r`, 20)).toEqual(Array(20).fill("x"));
  });

  it("is accepted if it completes an event in the end", async () => {
    const lines = "data:\n".repeat(90_000);
    expect(await read(`${lines}\n`, 3)).toEqual(Array(3).fill("\n".repeat(89_999)));
    expect(await read("data: a\r\rdata: b\r\n\r\ndata: c\n\n", 1)).toEqual(["a", "b", "c"]);
  });
});
