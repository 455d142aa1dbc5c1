import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { closeAfter, connected, fixture } from "./support/clients.js";
import {
  answer,
  end,
  event,
  initialized,
  json,
  serve,
  resultFor,
  stream,
  toolResult,
} from "./support/mcp-server.js";
import { type Handle, RawServer } from "./support/raw-server.js";

const body =
  (status: number, type: string | undefined, text: string): Handle =>
  (_, response) => {
    response.writeHead(status, type === undefined ? {} : { "content-type": type });
    response.end(text);
  };

/** Writes the same chunk repeatedly, for as long as it is read. */
function flood(response: ServerResponse, chunk: string, first = ""): void {
  if (!response.hasHeader("content-type")) response.setHeader("content-type", "text/event-stream");
  response.write(first);
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", more);
  more();
}

describe("an invalid response rejects its request with a typed error (H26)", () => {
  it.each<[string, Handle, object]>([
    ["HTML", body(200, "text/html", "<p>Hello"), { status: 200, message: /text\/html/ }],
    ["204", (_, response) => end(response, 204), { status: 204 }],
    ["202", (_, response) => end(response, 202), { status: 202 }],
    ["an invented content type", body(200, "text/plain", "{}"), { status: 200 }],
    ["no content type", body(200, undefined, "{}"), { status: 200 }],
    ["an empty body", body(200, "application/json", ""), { status: 200 }],
    ["no JSON", body(200, "application/json", "{"), { status: 200 }],
    ["JSON that is not a message", body(200, "application/json", "42"), { status: 200 }],
    ["an empty array", body(200, "application/json", "[]"), { status: 200 }],
    ["an HTML error", body(502, "text/html", "<p>Oops"), { status: 502, detail: "<p>Oops" }],
    ["an empty stream", body(200, "text/event-stream", ""), { name: "StreamEndedError" }],
    ["a stream of invalid text", body(200, "text/event-stream", "junk\n\ndata: {\n\n"), {}],
    [
      "a broken JSON body",
      (_, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": 100 });
        response.write("{");
        setTimeout(() => response.destroy(), 20);
      },
      { status: undefined },
    ],
  ])("%s", async (_, handle, expected) => {
    const server = await serve({ on: { "tools/call": handle } });
    const { client } = await connected(server, { listen: false });
    const call = client.callTool({ name: "x" }, { timeout: Infinity });
    const error: unknown = await call.catch((thrown: unknown) => thrown);
    const { message, ...rest } = expected as { message?: RegExp };
    expect(error).toMatchObject({ code: "HTTP", ...rest });
    if (message) expect((error as Error).message).toMatch(message);
    expect(await client.ping()).toEqual({});
  });

  it.each<[string, Handle]>([
    [
      "a JSON body",
      (_, response) => {
        response.setHeader("content-type", "application/json");
        flood(response, "x".repeat(65_536));
      },
    ],
    ["an event of one line", (_, response) => flood(response, "x".repeat(65_536), "data: ")],
    [
      "an event of many lines",
      (_, response) => flood(response, "data: xxxxxxxxxxxxxxx\n".repeat(5000)),
    ],
    ["a comment without end", (_, response) => flood(response, "x".repeat(65_536), ": ")],
    [
      "the body of an error",
      (_, response) => {
        response.statusCode = 500;
        response.setHeader("content-type", "text/plain");
        flood(response, "x".repeat(65_536));
      },
    ],
  ])("is not read beyond a limit if it is %s without end", async (_, handle) => {
    const server = await serve({ on: { "tools/call": handle } });
    const { client } = await connected(server, { listen: false, maxMessageBytes: 4 * 2 ** 20 });
    const before = process.memoryUsage().rss;
    const call = client.callTool({ name: "x" }, { timeout: Infinity });
    await expect(call).rejects.toMatchObject({ code: "HTTP" });
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 2 ** 20);
    expect(await client.ping()).toEqual({});
  });

  it("is not read beyond a limit if it decompresses to too much", async () => {
    const server = await serve({
      on: {
        "tools/call": (_, response) => {
          const headers = { "content-type": "application/json", "content-encoding": "gzip" };
          response.writeHead(200, headers).end(gzipSync(Buffer.alloc(50 * 2 ** 20, 0x20)));
        },
      },
    });
    const { client } = await connected(server, { maxMessageBytes: 4 * 2 ** 20 });
    await expect(client.callTool({ name: "x" })).rejects.toThrow("longer than 4194304 bytes");
  });

  it("is accepted up to the limit", async () => {
    const server = await serve({
      on: {
        "tools/call": (seen, response) => {
          const {
            name,
            arguments: { size },
          } = seen.body.params;
          const text = JSON.stringify(resultFor(seen, toolResult("")));
          const padded = text + " ".repeat(size - text.length);
          if (name === "json") return body(200, "application/json", padded)(seen, response);
          return body(200, "text/event-stream", `data: ${padded}\n\n`)(seen, response);
        },
      },
    });
    const { client } = await connected(server, { maxMessageBytes: 1000 });
    for (const name of ["json", "event"]) {
      const call = (size: number) => client.callTool({ name, arguments: { size } });
      expect(await call(1000)).toEqual(toolResult(""));
      await expect(call(1001)).rejects.toMatchObject({ code: "HTTP" });
    }
  });

  it("rejects a request whose stream holds only comments", async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const server = await serve({
      on: {
        "tools/call": (_, response) => {
          stream(response);
          const timer = setInterval(() => response.write(":\n\n"), 5);
          closed = new Promise((resolve) => response.on("close", resolve));
          response.on("close", () => clearInterval(timer));
        },
      },
    });
    const { client } = await connected(server, { listen: false });
    const call = client.callTool({ name: "x" }, { timeout: 100 });
    await expect(call).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
    await closed;
  });

  it("rejects a request after a long silence", async () => {
    const server = await serve({
      on: { "tools/call": (_, response) => stream(response, ":\n\n") },
    });
    const { client } = await connected(server, { listen: false, idleTimeout: 100 });
    const call = client.callTool({ name: "x" }, { timeout: Infinity });
    await expect(call).rejects.toMatchObject({ name: "StreamEndedError" });
  });

  it("does not count comments as silence", async () => {
    const server = await serve({
      on: {
        "tools/call": async (seen, response) => {
          stream(response);
          for (let count = 0; count < 20; count += 1) {
            response.write(":\n\n");
            await new Promise((resolve) => setTimeout(resolve, 50));
          }
          response.end(event(resultFor(seen, toolResult("slow"))));
        },
      },
    });
    const { client } = await connected(server, { listen: false, idleTimeout: 500 });
    expect(await client.callTool({ name: "x" })).toEqual(toolResult("slow"));
  });

  it("ignores event ids that no header can carry", async () => {
    const server = await serve({
      on: {
        "tools/call": (_, response) => {
          stream(response, `id: ${"x".repeat(100_000)}\ndata:\n\n`);
          response.end("id: a\u0001b\ndata:\n\n");
        },
      },
    });
    const { client } = await connected(server, { listen: false });
    await expect(client.callTool({ name: "x" })).rejects.toMatchObject({
      name: "StreamEndedError",
    });
  });

  it("does not quote an HTML page in the error of a refused initialization, but its reason (H26)", async () => {
    const server = closeAfter(await RawServer.start(body(500, "text/html", "<p>secret")));
    const { client, transport } = fixture(server);
    const error = (await client.connect(transport).catch((thrown: unknown) => thrown)) as Error;
    expect(error).toMatchObject({ code: "HTTP", status: 500 });
    expect(error.message).toBe(`POST ${server.url} was answered 500`);
  });
});

const to =
  (status: number, location: string): Handle =>
  (_, response) => {
    response.writeHead(status, { location }).end();
  };

describe("redirects (H26)", () => {
  it("are never followed to another origin", async () => {
    const other = closeAfter(await RawServer.start((_, response) => json(response, 200, {})));
    for (const status of [301, 302, 303, 307, 308]) {
      const server = closeAfter(await RawServer.start(to(status, `${other.origin}/mcp`)));
      const headers = { authorization: "Bearer secret" };
      const { client, transport } = fixture(server, { headers });
      await expect(client.connect(transport)).rejects.toMatchObject({
        name: "RedirectError",
        status,
        location: `${other.origin}/mcp`,
      });
      expect(server.seen).toHaveLength(1);
    }
    expect(other.seen).toEqual([]);
  });

  it.each(["file:///etc/passwd", "http://", "data:application/json,{}", "javascript:0"])(
    "are rejected when they lead to %s",
    async (location) => {
      const server = closeAfter(await RawServer.start(to(307, location)));
      const { client, transport } = fixture(server);
      await expect(client.connect(transport)).rejects.toMatchObject({ name: "RedirectError" });
    },
  );

  it.each([307, 308])("are followed within the origin with %i", async (status) => {
    const server = await serve({
      sessions: ["s"],
      on: {
        initialize: (seen, response) => {
          if (seen.path === "/mcp") return to(status, "/mcp/")(seen, response);
          answer(response, seen, initialized("2025-11-25"));
        },
      },
    });
    const { client } = await connected(server);
    expect(server.of("initialize").map(({ path }) => path)).toEqual(["/mcp", "/mcp/"]);
    expect(await client.ping()).toEqual({});
  });

  it("are not followed when they turn a POST into a GET", async () => {
    const server = closeAfter(await RawServer.start(to(302, "/there")));
    const { client, transport } = fixture(server);
    await expect(client.connect(transport)).rejects.toMatchObject({ name: "RedirectError" });
    expect(server.seen).toHaveLength(1);
  });

  it("end at a limit", async () => {
    const server = closeAfter(await RawServer.start(to(307, "/mcp")));
    const { client, transport } = fixture(server);
    await expect(client.connect(transport)).rejects.toThrow("more than 5 times");
    expect(server.seen).toHaveLength(6);
  });
});

describe("responses with an unknown id", () => {
  it("reject the request on whose stream they arrive; a second response is ignored and reported (I05)", async () => {
    const server = await serve({
      on: {
        "tools/call": (seen, response) => {
          if (seen.body.params.name === "json")
            return json(response, 200, { jsonrpc: "2.0", id: "other", result: {} });
          const result = event(resultFor(seen, toolResult("first")));
          stream(response, event({ jsonrpc: "2.0", id: 4711, result: {} }) + result);
          response.end(event(resultFor(seen, toolResult("second"))));
        },
      },
    });
    const { client, errors } = await connected(server);
    await expect(client.callTool({ name: "json" })).rejects.toMatchObject({ code: "HTTP" });
    expect(await client.callTool({ name: "events" })).toEqual(toolResult("first"));
    expect(errors.map(({ name }) => name)).toEqual(Array(3).fill("InvalidMessageError"));
  });

  it.each([{ result: {}, error: { code: 1, message: "" } }, {}])(
    "are a protocol error if they have both or neither of result and error (I06)",
    async (members) => {
      const server = await serve({
        on: {
          "tools/call": ({ body: { id } }, response) =>
            json(response, 200, { jsonrpc: "2.0", id, ...members }),
        },
      });
      const { client } = await connected(server);
      await expect(client.callTool({ name: "x" })).rejects.toMatchObject({
        code: "INVALID_MESSAGE",
      });
    },
  );
});

describe("a server whose initialize result is invalid", () => {
  it.each<[string, unknown, object]>([
    ["a revision that was not offered", "9999-99-99", { code: "UNSUPPORTED_REVISION" }],
    ["an empty revision", "", { code: "UNSUPPORTED_REVISION" }],
    ["an array", ["2025-11-25"], { code: "INVALID_MESSAGE" }],
  ])("is rejected for %s (I20, I21)", async (_, revision, expected) => {
    const server = await serve({ sessions: ["s"], revision: revision as string });
    const { client, transport } = fixture(server);
    await expect(client.connect(transport)).rejects.toMatchObject(expected);
    expect(server.of("notifications/initialized")).toEqual([]);
    expect(server.of("DELETE")).toHaveLength(1);
  });

  it("is rejected for invalid capabilities (I21)", async () => {
    const result = { ...initialized("2025-11-25"), capabilities: "all" };
    const server = await serve({
      on: { initialize: (seen, response) => answer(response, seen, result) },
    });
    const { client, transport } = fixture(server);
    await expect(client.connect(transport)).rejects.toMatchObject({ code: "INVALID_MESSAGE" });
  });
});
