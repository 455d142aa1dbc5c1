import { describe, expect, it } from "vitest";
import { Client } from "../../../generated/2025-03-26/index.js";
import { HttpClientTransport } from "../../../runtime/http/client/index.js";
import { closeAfter, connected, until } from "./support/clients.js";
import { end, event, json, serve, stream } from "./support/mcp-server.js";

const log = (data: unknown): object => ({
  jsonrpc: "2.0",
  method: "notifications/message",
  params: { level: "info", data },
});

describe("the GET stream of a client", () => {
  it("opens after initialization, and carries notifications and requests (HTTP-22, HTTP-23, HTTP-25)", async () => {
    const logged: unknown[] = [];
    const server = await serve({
      sessions: ["s"],
      on: {
        GET: (_, response) =>
          stream(response, event(log(1)) + event({ jsonrpc: "2.0", id: 0, method: "ping" })),
      },
    });
    await connected(server, {}, { "notifications/message": ({ data }) => void logged.push(data) });
    const { headers } = await server.nth("GET", 1);
    expect(headers.accept).toBe("text/event-stream");
    expect(headers["mcp-session-id"]).toBe("s");
    const { body } = await server.nth("answer", 1);
    expect(body).toEqual({ jsonrpc: "2.0", id: 0, result: {} });
    expect(logged).toEqual([1]);
    const order = server.seen.map((one) => one.body.method ?? one.method);
    expect(order).toEqual(["initialize", "notifications/initialized", "GET", "POST"]);
  });

  it("continues after a message above the limit, and reports the limit and the option", async () => {
    const logged: unknown[] = [];
    let opened = 0;
    const server = await serve({
      sessions: ["s"],
      on: {
        GET: (_, response) => {
          const message = opened++ === 0 ? log("x".repeat(20_000)) : log(2);
          stream(response, event(message, `id-${opened}`));
        },
      },
    });
    const handlers = {
      "notifications/message": ({ data }: { data: unknown }) => void logged.push(data),
    };
    const { errors } = await connected(server, { maxMessageBytes: 10_000 }, handlers);
    await until(() => logged.length > 0);
    expect(logged).toEqual([2]);
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringContaining("more than 10000 characters (option maxMessageBytes)"),
    ]);
    expect(server.of("GET")[1]!.headers["last-event-id"]).toBeUndefined();
  });

  it("rejects requests if an option says so, and carries everything else (HTTP-31)", async () => {
    const logged: unknown[] = [];
    const ping = { jsonrpc: "2.0", id: "p", method: "ping" };
    const server = await serve({
      sessions: ["s"],
      on: { GET: (_, response) => stream(response, event(ping) + event([log(1), ping])) },
    });
    const handlers = {
      "notifications/message": ({ data }: { data: unknown }) => void logged.push(data),
    };
    await connected(server, { unrelatedRequests: "refuse" }, handlers);
    for (const count of [1, 2]) {
      const { body, headers } = await server.nth("answer", count);
      expect(body).toMatchObject({ id: "p", error: { code: -32602 } });
      expect(headers["mcp-session-id"]).toBe("s");
    }
    expect(server.of("answer")).toHaveLength(2);
  });

  it("accepts several messages in one event if the revision allows it (BATCH-08)", async () => {
    const logged: unknown[] = [];
    const server = await serve({
      on: { GET: (_, response) => stream(response, event([log(1), log(2)])) },
    });
    const handlers = {
      "notifications/message": ({ data }: { data: unknown }) => void logged.push(data),
    };
    const client = closeAfter(new Client({ name: "old", version: "1" }, handlers));
    await client.connect(new HttpClientTransport(server.url));
    await until(() => logged.length === 2);
    expect(logged).toEqual([1, 2]);
  });

  it.each([400, 404, 405, 501])("may be refused by a server with %i (HTTP-24)", async (status) => {
    const server = await serve({
      sessions: ["s"],
      on: { GET: (_, response) => json(response, status, { error: "no" }) },
    });
    const { client, errors } = await connected(server);
    await server.nth("GET", 1);
    expect(await client.ping()).toEqual({});
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(server.of("GET")).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  it("ignores an HTML page instead of a stream", async () => {
    const server = await serve({
      on: {
        GET: (_, response) => {
          response.setHeader("content-type", "text/html");
          response.end("<p>Hello");
        },
      },
    });
    const { client, errors } = await connected(server);
    await server.nth("GET", 1);
    expect(await client.ping()).toEqual({});
    expect(errors).toEqual([]);
  });

  it("reports that permission was refused", async () => {
    const server = await serve({ on: { GET: (_, response) => end(response, 403) } });
    const { errors } = await connected(server);
    await until(() => errors.length > 0);
    expect(errors).toMatchObject([{ name: "HttpError", status: 403 }]);
  });

  it("resumes where it ended (POLL-04, POLL-06, RSM-04)", async () => {
    const logged: unknown[] = [];
    let count = 0;
    const server = await serve({
      on: {
        GET: (_, response) => {
          count += 1;
          stream(response, event(log(count), `é-${count}`));
          if (count < 3) response.end();
        },
      },
    });
    await connected(server, {}, { "notifications/message": ({ data }) => void logged.push(data) });
    await until(() => logged.length === 3);
    const ids = server.of("GET").map(({ headers }) => headers["last-event-id"]);
    const utf8 = ids.map((id) => Buffer.from(String(id), "latin1").toString("utf8"));
    expect(utf8).toEqual(["undefined", "é-1", "é-2"]);
  });

  it("starts from the beginning if the server no longer knows the event", async () => {
    const server = await serve({
      on: {
        GET: ({ headers }, response) => {
          if (headers["last-event-id"] !== undefined) return end(response, 400);
          stream(response, event(log(1), "1"));
          if (server.of("GET").length === 1) response.end();
        },
      },
    });
    const { errors } = await connected(server);
    const third = await server.nth("GET", 3);
    expect(third.headers["last-event-id"]).toBeUndefined();
    expect(errors).toEqual([]);
  });

  it.each([
    ["throws", () => void JSON.parse("{")],
    ["rejects", async () => void JSON.parse("{")],
  ])("continues, and reports that `ongap` %s", async (_name, ongap) => {
    const server = await serve({
      sessions: ["s"],
      on: {
        GET: (_, response) => {
          stream(response);
          response.end();
        },
      },
    });
    const { errors } = await connected(server, { ongap });
    await server.nth("GET", 3);
    await until(() => errors.length > 1);
    expect(errors.slice(0, 2)).toEqual([expect.any(SyntaxError), expect.any(SyntaxError)]);
  });

  it("waits for the retry time of the server, also after the connection breaks (POLL-05)", async () => {
    const endings: number[] = [];
    const server = await serve({
      on: {
        GET: (_, response) => {
          if (endings.length === 2) return stream(response);
          stream(response, "retry: 300\nid: 1\ndata:\n\n");
          setTimeout(() => {
            endings.push(performance.now());
            if (endings.length === 1) response.end();
            else response.destroy();
          }, 20);
        },
      },
    });
    await connected(server);
    await server.nth("GET", 3);
    const [, second, third] = server.of("GET");
    expect(second!.at - endings[0]!).toBeGreaterThan(290);
    expect(third!.at - endings[1]!).toBeGreaterThan(290);
  });

  it("waits for the retry time also after a failed attempt (POLL-05)", async () => {
    const server = await serve({
      on: {
        GET: (_, response) => {
          const count = server.of("GET").length;
          if (count === 2) return end(response, 503);
          stream(response, "retry: 300\nid: 1\ndata:\n\n");
          if (count === 1) response.end();
        },
      },
    });
    await connected(server);
    await server.nth("GET", 3);
    const [, second, third] = server.of("GET");
    expect(third!.at - second!.at).toBeGreaterThan(290);
  });

  it("retries with growing delays while the server fails", async () => {
    const server = await serve({
      on: {
        GET: (_, response) => {
          const count = server.of("GET").length;
          if (count <= 3) return end(response, 503);
          if (count <= 6) return void response.destroy();
          stream(response);
        },
      },
    });
    const { errors } = await connected(server, { reconnect: { initialDelay: 10, retries: 0 } });
    await server.nth("GET", 7);
    const times = server.of("GET").map(({ at }) => at);
    expect(times[4]! - times[3]!).toBeGreaterThan(75);
    expect(errors).toEqual([]);
  });

  it("does not retry in a busy loop, even with a retry time of 0 (H14)", async () => {
    const server = await serve({
      on: {
        GET: (_, response) => {
          stream(response);
          response.end("retry: 0\nid: 1\ndata:\n\n");
        },
      },
    });
    await connected(server);
    await server.nth("GET", 2);
    await new Promise((resolve) => setTimeout(resolve, 350));
    expect(server.of("GET").length).toBeLessThan(7);
  });

  it("stops at an event that is too long (H26)", async () => {
    const server = await serve({
      on: { GET: (_, response) => stream(response, `data: ${"x".repeat(5000)}`) },
    });
    const { client, errors } = await connected(server, { maxMessageBytes: 2000 });
    await until(() => errors.length > 0);
    expect(errors[0]!.message).toContain("more than 2000 characters");
    expect(await client.ping()).toEqual({});
  });

  it("reopens after a long silence", async () => {
    const server = await serve({ on: { GET: (_, response) => stream(response, ":hi\n\n") } });
    await connected(server, { idleTimeout: 100 });
    await server.nth("GET", 2);
  });
});
