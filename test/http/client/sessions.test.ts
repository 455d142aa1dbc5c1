import { describe, expect, it } from "vitest";
import { SessionExpiredError } from "../../../runtime/http/client/index.js";
import { connected, fixture, until } from "./support/clients.js";
import {
  answer,
  end,
  event,
  initialized,
  serve,
  type McpScript,
  resultFor,
  stream,
  toolResult,
} from "./support/mcp-server.js";
import type { Handle, RawServer, Seen } from "./support/raw-server.js";

const sessionOf = ({ headers }: Seen) => headers["mcp-session-id"];

/** Answers 404 to the first session once it is over, and otherwise responds as given. */
function unless(isOver: () => boolean, handle: Handle): Handle {
  return (seen, response) => {
    if (isOver() && sessionOf(seen) === "first") return end(response, 404);
    return handle(seen, response);
  };
}

describe("a session", () => {
  it("starts again if it ends before it was initialized (SESS-07)", async () => {
    const server = await serve({
      sessions: ["first", "second"],
      on: {
        "notifications/initialized": (seen, response) =>
          end(response, sessionOf(seen) === "first" ? 404 : 202),
      },
    });
    const { client, transport } = await connected(server);
    expect(await client.ping()).toEqual({});
    expect(transport.sessionId).toBe("second");
    expect(server.of("initialize")).toHaveLength(2);
    const notified = server.of("notifications/initialized");
    expect(notified.map(sessionOf)).toEqual(["first", "second"]);
  });

  it("starts again only once for that reason (SESS-07)", async () => {
    const server = await serve({
      sessions: ["first", "second", "third"],
      on: { "notifications/initialized": (_, response) => end(response, 404) },
    });
    const { client, transport } = fixture(server);
    await client.connect(transport).catch(() => {});
    expect(await client.closed).toBeInstanceOf(SessionExpiredError);
    expect(server.of("initialize")).toHaveLength(2);
  });

  it("sends its id with everything after the first request (SESS-01, SESS-04)", async () => {
    const server = await serve({ sessions: ["first"] });
    const { client, transport } = await connected(server);
    expect(transport.sessionId).toBe("first");
    await client.ping();
    await server.nth("GET", 1);
    const [opening, ...rest] = server.seen;
    expect(sessionOf(opening!)).toBeUndefined();
    expect(rest.map(sessionOf)).toEqual(["first", "first", "first"]);
  });

  it("may have no id (SESS-14)", async () => {
    const server = await serve({});
    const { client, transport } = await connected(server);
    await client.ping();
    await client.close();
    expect(transport.sessionId).toBeUndefined();
    expect(server.seen.every((seen) => sessionOf(seen) === undefined)).toBe(true);
    expect(server.of("DELETE")).toEqual([]);
  });

  it("has an id of visible ASCII (SESS-03)", async () => {
    const server = await serve({ sessions: ["not visible"] });
    const { client, transport } = fixture(server);
    await expect(client.connect(transport)).rejects.toThrow("not visible ASCII");
  });

  it("ends with the connection (SESS-08)", async () => {
    const server = await serve({ sessions: ["first"] });
    const { client } = await connected(server);
    await client.close();
    expect(server.of("DELETE").map(sessionOf)).toEqual(["first"]);
    expect(await client.closed).toBeUndefined();
  });

  it("stays open if an option says so", async () => {
    const server = await serve({ sessions: ["first"] });
    const { client } = await connected(server, { endSession: false });
    await client.close();
    expect(server.of("DELETE")).toEqual([]);
  });

  it.each<[string, Handle]>([
    ["405", (_, response) => end(response, 405)],
    ["an error", (_, response) => end(response, 500)],
    ["nothing", () => {}],
    ["the end of the connection", (_, response) => void response.destroy()],
  ])("accepts %s as the response to its DELETE (SESS-09)", async (_, handle) => {
    const server = await serve({ sessions: ["first"], on: { DELETE: handle } });
    const { client, errors } = await connected(server);
    await client.close();
    expect(server.of("DELETE")).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  it("waits until earlier messages are accepted before it closes", async () => {
    const server = await serve({
      sessions: ["first"],
      on: {
        "notifications/cancelled": (_, response) => void setTimeout(() => end(response, 202), 50),
        "tools/call": () => {},
      },
    });
    const { client } = await connected(server, { listen: false });
    const abort = new AbortController();
    const call = client.callTool({ name: "x" }, { signal: abort.signal });
    call.catch(() => {});
    await server.nth("tools/call", 1);
    abort.abort();
    await client.close();
    expect(server.seen.slice(-2).map(({ method, body }) => body.method ?? method)).toEqual([
      "notifications/cancelled",
      "DELETE",
    ]);
  });
});

describe("a session that the server has ended (SESS-07)", () => {
  let isOver = false;
  const over = (): boolean => isOver;
  const servePassing = (on: McpScript["on"] = {}, script: McpScript = {}): Promise<RawServer> => {
    isOver = false;
    return serve({
      sessions: ["first", "second"],
      ...script,
      on: { ping: unless(over, (seen, response) => answer(response, seen, {})), ...on },
    });
  };

  it("is replaced by another, to which the message is sent again", async () => {
    let restarts = 0;
    const server = await servePassing({
      GET: unless(over, (_, response) => stream(response)),
    });
    const onrestart = (): void => void (restarts += 1);
    const { client, transport, errors } = await connected(server, { onrestart });
    await server.nth("GET", 1);
    isOver = true;
    server.seen.length = 0;
    expect(await client.ping()).toEqual({});
    await server.nth("GET", 1);
    const order = server.seen.map((seen) => [seen.body.method ?? seen.method, sessionOf(seen)]);
    expect(order.slice(0, 3)).toEqual([
      ["ping", "first"],
      ["initialize", undefined],
      ["notifications/initialized", "second"],
    ]);
    expect(order.slice(3).toSorted()).toEqual([
      ["GET", "second"],
      ["ping", "second"],
    ]);
    expect(transport.sessionId).toBe("second");
    expect(restarts).toBe(1);
    expect(errors).toEqual([]);
    expect(await client.ping()).toEqual({});
  });

  it.each([
    ["throws", () => void JSON.parse("{")],
    ["rejects", async () => void JSON.parse("{")],
  ])("fails the waiting messages if `onrestart` %s", async (_, onrestart) => {
    const server = await servePassing();
    const { client, errors } = await connected(server, { listen: false, onrestart });
    isOver = true;
    await expect(client.ping()).rejects.toBeInstanceOf(SyntaxError);
    expect(await client.ping()).toEqual({});
    expect(errors).toEqual([]);
  });

  it.each([
    ["throws", () => void JSON.parse("{")],
    ["rejects", async () => void JSON.parse("{")],
  ])("reports that `onrestart` %s if no message waits", async (_, onrestart) => {
    // The stream of the test before may still be opened again, so this flag is not shared.
    let hasEnded = false;
    const server = await servePassing({
      GET: unless(
        () => hasEnded,
        (seen, response) => {
          stream(response, "retry: 10\nid: 1\ndata:\n\n");
          if (!hasEnded) setTimeout(() => response.end(), 20);
          hasEnded = true;
        },
      ),
    });
    const { transport, errors } = await connected(server, { onrestart });
    await until(() => errors.length > 0);
    expect([transport.sessionId, errors]).toEqual(["second", [expect.any(SyntaxError)]]);
  });

  it("reports an `endSession` that throws while a new session fails to open", async () => {
    const server = await servePassing({
      "notifications/initialized": (seen, response) =>
        end(response, sessionOf(seen) === "second" ? 500 : 202),
    });
    const { client, errors } = await connected(server, {
      listen: false,
      endSession: () => JSON.parse("{") as boolean,
    });
    isOver = true;
    await expect(client.ping()).rejects.toBeInstanceOf(SessionExpiredError);
    await until(() => errors.some((error) => error instanceof SyntaxError));
  });

  it("is replaced once for any number of requests", async () => {
    const server = await servePassing();
    const { client } = await connected(server);
    isOver = true;
    await Promise.all(Array.from({ length: 5 }, () => client.ping()));
    expect(server.of("initialize")).toHaveLength(2);
    expect(server.of("ping").map(sessionOf).toSorted()).toEqual([
      ...Array<string>(5).fill("first"),
      ...Array<string>(5).fill("second"),
    ]);
  });

  it("is replaced when a stream finds that it has ended", async () => {
    const server = await servePassing({
      GET: unless(over, (_, response) => {
        stream(response, "retry: 100\nid: 1\ndata:\n\n");
        if (!isOver) setTimeout(() => response.end(), 20);
        isOver = true;
      }),
    });
    const { transport } = await connected(server);
    await until(() => transport.sessionId === "second");
    const third = await server.nth("GET", 3);
    expect(sessionOf(third)).toBe("second");
    expect(third.headers["last-event-id"]).toBeUndefined();
  });

  it("rejects the pending requests", async () => {
    const server = await servePassing({
      "tools/call": (_, response) => {
        stream(response);
        response.end("id: 1\ndata:\n\n");
        isOver = true;
      },
      GET: unless(over, (_, response) => end(response, 405)),
    });
    const { client } = await connected(server, { listen: false });
    await expect(client.callTool({ name: "x" })).rejects.toBeInstanceOf(SessionExpiredError);
    expect(await client.ping()).toEqual({});
    expect(server.of("initialize")).toHaveLength(2);
    expect(server.of("tools/call")).toHaveLength(1);
  });

  it("is not polled again for lost requests", async () => {
    const server = await servePassing({
      "tools/call": (_, response) => {
        stream(response);
        response.end("retry: 300\nid: 1\ndata:\n\n");
      },
    });
    const { client } = await connected(server, { listen: false });
    const call = client.callTool({ name: "x" });
    await server.nth("tools/call", 1);
    isOver = true;
    expect(await client.ping()).toEqual({});
    await expect(call).rejects.toBeInstanceOf(SessionExpiredError);
    expect(server.of("GET")).toEqual([]);
  });

  it("sends no response to the session that replaces it", async () => {
    const released = new AbortController();
    const server = await servePassing({
      GET: (seen, response) => {
        const id = sessionOf(seen) === "first" ? 7 : 8;
        stream(response, event({ jsonrpc: "2.0", id, method: "roots/list" }));
      },
    });
    const uris = ["file:///old", "file:///new"];
    const { client } = await connected(
      server,
      {},
      {
        "roots/list": async () => {
          const uri = uris.shift()!;
          if (uri.endsWith("old"))
            await new Promise((resolve) => released.signal.addEventListener("abort", resolve));
          return { roots: [{ uri }] };
        },
      },
    );
    await until(() => uris.length === 1);
    isOver = true;
    await client.ping();
    const { body } = await server.nth("answer", 1);
    released.abort();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(body.result.roots[0].uri).toBe("file:///new");
    expect(server.of("answer").map((seen) => seen.body.id)).toEqual([8]);
  });

  it("is replaced once for each message, so that a server cannot loop", async () => {
    const server = await servePassing({ ping: (_, response) => end(response, 404) });
    const { client } = await connected(server);
    await expect(client.ping()).rejects.toBeInstanceOf(SessionExpiredError);
    expect(server.of("ping")).toHaveLength(2);
    expect(server.of("initialize")).toHaveLength(2);
  });

  it("closes the connection if the next session has another revision", async () => {
    const server = await servePassing({
      initialize: (seen, response) => {
        response.setHeader("mcp-session-id", isOver ? "second" : "first");
        answer(response, seen, initialized(isOver ? "2025-03-26" : "2025-11-25"));
      },
    });
    const { client } = await connected(server);
    isOver = true;
    await expect(client.ping()).rejects.toBeInstanceOf(SessionExpiredError);
    expect((await client.closed)?.message).toContain("no longer accepts 2025-11-25");
    expect((await server.nth("DELETE", 1)).headers["mcp-session-id"]).toBe("second");
  });

  it("closes the connection if there is no next session", async () => {
    const server = await servePassing({
      initialize: (seen, response) => {
        if (isOver) return end(response, 503);
        response.setHeader("mcp-session-id", "first");
        answer(response, seen, initialized("2025-11-25"));
      },
    });
    const { client } = await connected(server);
    isOver = true;
    await expect(client.ping()).rejects.toBeInstanceOf(SessionExpiredError);
    expect(await client.closed).toMatchObject({
      name: "SessionExpiredError",
      cause: { status: 503 },
    });
  });

  it("closes the connection if an option says so, and the client can connect again", async () => {
    const server = await servePassing();
    const { client } = await connected(server, { restart: false });
    isOver = true;
    await expect(client.ping()).rejects.toBeInstanceOf(SessionExpiredError);
    expect(await client.closed).toBeInstanceOf(SessionExpiredError);
    expect(server.of("DELETE")).toEqual([]);
    const { transport } = fixture(server);
    await client.connect(transport);
    expect(await client.ping()).toEqual({});
    expect(transport.sessionId).toBe("second");
  });

  it("may be replaced by one that responds with events", async () => {
    const server = await servePassing({
      initialize: (seen, response) => {
        response.setHeader("mcp-session-id", isOver ? "second" : "first");
        stream(response);
        response.end(event(resultFor(seen, initialized("2025-11-25"))));
      },
      "tools/call": unless(over, (seen, response) => answer(response, seen, toolResult("ok"))),
    });
    const { client } = await connected(server);
    isOver = true;
    expect(await client.callTool({ name: "x" })).toEqual(toolResult("ok"));
  });
});
