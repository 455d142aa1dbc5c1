import { describe, expect, it } from "vitest";
import { HttpError } from "../../../runtime/http/client/index.js";
import { connected, fixture, until } from "./support/clients.js";
import {
  answer,
  end,
  event,
  json,
  mcpServer,
  serve,
  resultFor,
  stream,
  toolResult,
} from "./support/mcp-server.js";
import type { Seen } from "./support/raw-server.js";

describe("messages", () => {
  it("are sent in a POST each, which accepts JSON and events (HTTP-06, HTTP-07, HTTP-08)", async () => {
    const server = await serve();
    const { client } = await connected(server, { listen: false });
    await client.ping();
    const posts = server.of("POST");
    expect(posts.map(({ body }) => body.method)).toEqual([
      "initialize",
      "notifications/initialized",
      "ping",
    ]);
    for (const { headers } of posts) {
      expect(headers.accept).toBe("application/json, text/event-stream");
      expect(headers["content-type"]).toBe("application/json");
    }
  });

  it("are answered by JSON, or by an event after others (HTTP-12)", async () => {
    const logged: unknown[] = [];
    const server = await serve({
      on: {
        "tools/call": (seen, response) => {
          if (seen.body.params.name === "json") return answer(response, seen, toolResult("json"));
          const params = { level: "info", data: "before" };
          stream(response, event({ jsonrpc: "2.0", method: "notifications/message", params }));
          response.end(event(resultFor(seen, toolResult("event"))));
        },
      },
    });
    const { client } = await connected(
      server,
      {},
      {
        "notifications/message": ({ data }) => void logged.push(data),
      },
    );
    expect(await client.callTool({ name: "json" })).toEqual(toolResult("json"));
    expect(logged).toEqual([]);
    expect(await client.callTool({ name: "event" })).toEqual(toolResult("event"));
    expect(logged).toEqual(["before"]);
  });

  it("are read from events with any line endings, split anywhere", async () => {
    const server = await serve({
      on: {
        "tools/call": async (seen, response) => {
          const name = seen.body.params.name as string;
          const ends = { CR: "\r", LF: "\n", CRLF: "\r\n" }[name]!;
          const data = JSON.stringify(resultFor(seen, toolResult("héllo ✓")));
          const at = data.indexOf(",");
          const lines = [
            ":hi",
            "event: message",
            `data: ${data.slice(0, at)}`,
            `data: ${data.slice(at)}`,
          ];
          stream(response);
          for (const byte of Buffer.from(`\uFEFF${[...lines, "", ""].join(ends)}`)) {
            response.write(Buffer.of(byte));
            if (byte < 0x20 || byte > 0x7f) await new Promise((resolve) => setImmediate(resolve));
          }
        },
      },
    });
    const { client } = await connected(server);
    for (const name of ["CR", "LF", "CRLF"]) {
      expect(await client.callTool({ name })).toEqual(toolResult("héllo ✓"));
    }
  });

  it("carry responses to the server in a POST (HTTP-20)", async () => {
    const server = await serve({
      on: {
        "tools/call": async (seen, response) => {
          stream(response, event({ jsonrpc: "2.0", id: "q", method: "roots/list" }));
          const { body } = await server.nth("answer", 1);
          response.end(event(resultFor(seen, toolResult(body.result.roots[0].uri))));
        },
      },
    });
    const { client } = await connected(
      server,
      {},
      {
        "roots/list": () => ({ roots: [{ uri: "file:///home" }] }),
      },
    );
    expect(await client.callTool({ name: "roots" })).toEqual(toolResult("file:///home"));
  });

  it("name the agreed revision after initialization (LIFE-14, HTTP-32, HTTP-35)", async () => {
    const server = await serve({ sessions: ["s"] });
    const { client } = await connected(server);
    await client.ping();
    await server.nth("GET", 1);
    await client.close();
    const versions = server.seen.map(({ method, body, headers }) => [
      body?.method ?? method,
      headers["mcp-protocol-version"],
    ]);
    expect(Object.fromEntries(versions)).toEqual({
      initialize: undefined,
      "notifications/initialized": "2025-11-25",
      ping: "2025-11-25",
      GET: "2025-11-25",
      DELETE: "2025-11-25",
    });
  });

  it("cancel a request by notification, and finally release its connection (HTTP-18)", async () => {
    let wasClosed = false;
    const server = await serve({
      on: {
        "tools/call": (_, response) => {
          stream(response);
          response.on("close", () => {
            wasClosed = true;
          });
        },
      },
    });
    const { client } = await connected(server, { listen: false });
    const abort = new AbortController();
    const call = client.callTool({ name: "wait" }, { signal: abort.signal });
    const { body } = await server.nth("tools/call", 1);
    abort.abort(new Error("never mind"));
    await expect(call).rejects.toThrow("never mind");
    const cancelled = await server.nth("notifications/cancelled", 1);
    expect(cancelled.body.params.requestId).toBe(body.id);
    expect(wasClosed).toBe(false);
    await until(() => wasClosed);
  });

  it("keep their order after a notification, while requests run in parallel", async () => {
    const order: string[] = [];
    const server = await serve({
      on: {
        "notifications/initialized": async (_, response) => {
          await new Promise((resolve) => setTimeout(resolve, 50));
          order.push("initialized");
          end(response, 202);
        },
        "tools/call": (seen, response) => {
          order.push(seen.body.params.name);
          if (seen.body.params.name === "slow")
            return void server.nth("ping", 1).then(() => answer(response, seen, toolResult("")));
          return answer(response, seen, toolResult(""));
        },
      },
    });
    const { client, transport } = fixture(server);
    const connecting = client.connect(transport);
    await server.nth("notifications/initialized", 1);
    expect(order).toEqual([]);
    await connecting;
    const slow = client.callTool({ name: "slow" });
    await client.callTool({ name: "quick" });
    expect(order).toEqual(["initialized", "slow", "quick"]);
    await client.ping();
    await slow;
  });

  it("keep their complete order after a notification if an option says so", async () => {
    const order: string[] = [];
    const accept = (seen: Seen): void => void order.push(seen.body.method);
    const server = await serve({
      on: {
        "notifications/progress": async (seen, response) => {
          await new Promise((resolve) => setTimeout(resolve, 50));
          accept(seen);
          end(response, 202);
        },
        ping: (seen, response) => {
          accept(seen);
          answer(response, seen, {});
        },
      },
    });
    const { client } = await connected(server);
    const notifications = client.notify("notifications/progress", {
      progressToken: 1,
      progress: 1,
    });
    await client.ping();
    await notifications;
    expect(order).toEqual(["notifications/progress", "ping"]);
  });

  it("carry the user's headers, computed for each request, but never in place of protocol headers", async () => {
    let count = 0;
    const server = await serve({ sessions: ["mine"] });
    const headers = async () => ({
      authorization: `Bearer ${++count}`,
      accept: "text/html",
      "MCP-Session-Id": "theirs",
    });
    const { client } = await connected(server, { headers, listen: false });
    await client.ping();
    const [, , ping] = server.of("POST");
    expect(server.of("POST").map((one) => one.headers.authorization)).toEqual([
      "Bearer 1",
      "Bearer 2",
      "Bearer 3",
    ]);
    expect(ping!.headers["mcp-session-id"]).toBe("mine");
    expect(ping!.headers.accept).toContain("application/json");
  });

  it("return an HTTP error that holds the response as the response, and any other as an error", async () => {
    const error = { code: -32000, message: "As it is" };
    const server = await serve({
      on: {
        "tools/call": ({ body }, response) =>
          json(response, 400, { jsonrpc: "2.0", id: body.id, error }),
        ping: (_, response) => json(response, 400, { jsonrpc: "2.0", id: null, error }),
      },
    });
    const { client } = await connected(server);
    await expect(client.callTool({ name: "x" })).rejects.toMatchObject({
      name: "RpcError",
      code: -32000,
    });
    await expect(client.ping()).rejects.toMatchObject({
      name: "HttpError",
      code: "HTTP",
      status: 400,
      message: expect.stringContaining("As it is"),
    });
  });

  it("report a refused notification, and the connection stays open", async () => {
    const server = await serve({
      on: { "notifications/progress": (_, response) => end(response, 500) },
    });
    const { client, errors } = await connected(server);
    await client.notify("notifications/progress", { progressToken: 1, progress: 1 });
    expect(errors).toMatchObject([{ name: "HttpError", status: 500 }]);
    expect(await client.ping()).toEqual({});
  });

  it("reject exactly the request without a response", async () => {
    const server = await serve({
      on: { "tools/call": (_, response) => void response.destroy() },
    });
    const { client } = await connected(server);
    const [call, ping] = await Promise.allSettled([client.callTool({ name: "x" }), client.ping()]);
    expect(ping).toEqual({ status: "fulfilled", value: {} });
    expect((call as PromiseRejectedResult).reason).toBeInstanceOf(HttpError);
  });

  it("report a server that cannot be reached", async () => {
    const server = await mcpServer();
    const { url } = server;
    await server.stop();
    const { client, transport } = fixture({ url });
    await expect(client.connect(transport)).rejects.toMatchObject({
      code: "HTTP",
      status: undefined,
    });
  });
});
