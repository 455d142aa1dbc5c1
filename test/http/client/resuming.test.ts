import { describe, expect, it } from "vitest";
import { StreamEndedError } from "../../../runtime/http/client/index.js";
import { connected, until } from "./support/clients.js";
import {
  answer,
  end,
  event,
  json,
  serve,
  resultFor,
  stream,
  toolResult,
} from "./support/mcp-server.js";
import type { Handle, Seen } from "./support/raw-server.js";

describe("a stream that ends before its response", () => {
  it("is resumed where it ended if the server wants that (POLL-03, POLL-04, POLL-05, POLL-07)", async () => {
    let requested: Seen | undefined;
    let endedAt = 0;
    const server = await serve({
      sessions: ["s"],
      on: {
        "tools/call": (seen, response) => {
          requested = seen;
          stream(response, "id: event-1\nretry: 300\ndata:\n\n");
          setTimeout(() => {
            endedAt = performance.now();
            response.end();
          }, 30);
        },
        GET: (_, response) => {
          stream(response);
          response.end(event(resultFor(requested!, toolResult("later")), "event-2"));
        },
      },
    });
    const { client, errors } = await connected(server, { listen: false });
    expect(await client.callTool({ name: "x" })).toEqual(toolResult("later"));
    const [get] = server.of("GET");
    expect(get!.headers).toMatchObject({ "last-event-id": "event-1", "mcp-session-id": "s" });
    expect(get!.at - endedAt).toBeGreaterThan(290);
    expect(server.of("GET")).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  it("may be resumed again and again (POLL-02)", async () => {
    let requested: Seen | undefined;
    const server = await serve({
      on: {
        "tools/call": (seen, response) => {
          requested = seen;
          stream(response);
          response.end("id: 0\nretry: 100\ndata:\n\n");
        },
        GET: ({ headers }, response) => {
          const count = server.of("GET").length;
          expect(headers["last-event-id"]).toBe(String(count - 1));
          stream(response, `id: ${count}\ndata:\n\n`);
          response.end(count < 4 ? "" : event(resultFor(requested!, toolResult("done"))));
        },
      },
    });
    const options = { listen: false, reconnect: { retries: 1 } };
    const { client } = await connected(server, options);
    expect(await client.callTool({ name: "x" })).toEqual(toolResult("done"));
  });

  it("is resumed at its own event (RSM-02)", async () => {
    const requested = new Map<string, Seen>();
    const server = await serve({
      on: {
        "tools/call": (seen, response) => {
          const { name } = seen.body.params;
          requested.set(name, seen);
          stream(response);
          response.end(`id: of-${name}\ndata:\n\n`);
        },
        GET: ({ headers }, response) => {
          const name = String(headers["last-event-id"]).replace("of-", "");
          stream(response);
          response.end(event(resultFor(requested.get(name)!, toolResult(name))));
        },
      },
    });
    const { client } = await connected(server, { listen: false });
    const results = await Promise.all(["a", "b", "c"].map((name) => client.callTool({ name })));
    expect(results).toEqual(["a", "b", "c"].map(toolResult));
  });

  it("is resumed after a break, through failed attempts", async () => {
    let requested: Seen | undefined;
    const server = await serve({
      on: {
        "tools/call": (seen, response) => {
          requested = seen;
          stream(response, "id: 1\ndata:\n\n");
          setTimeout(() => response.destroy(), 20);
        },
        GET: (_, response) => {
          const count = server.of("GET").length;
          if (count === 1) return end(response, 503);
          if (count === 2) return void response.destroy();
          stream(response);
          response.end(event(resultFor(requested!, toolResult("at last"))));
        },
      },
    });
    const { client } = await connected(server, { listen: false });
    expect(await client.callTool({ name: "x" })).toEqual(toolResult("at last"));
  });

  it("rejects its request at once if it had no event ids", async () => {
    const server = await serve({
      on: {
        "tools/call": (_, response) => {
          stream(response);
          response.end(":nothing\n\n");
        },
      },
    });
    const { client } = await connected(server, { listen: false });
    const call = client.callTool({ name: "x" }, { timeout: Infinity });
    await expect(call).rejects.toBeInstanceOf(StreamEndedError);
    expect(server.of("GET")).toEqual([]);
    expect(await client.ping()).toEqual({});
  });

  it.each([
    ["it cannot be fetched", 405],
    ["the event is unknown", 400],
    ["there is nothing", 404],
  ])("rejects its request if %s", async (_, status) => {
    const server = await serve({
      on: {
        "tools/call": (_seen, response) => {
          stream(response);
          response.end("id: 1\ndata:\n\n");
        },
        GET: (_seen, response) => json(response, status, {}),
      },
    });
    const { client } = await connected(server, { listen: false });
    const call = client.callTool({ name: "x" }, { timeout: Infinity });
    await expect(call).rejects.toMatchObject({ name: "StreamEndedError", cause: { status } });
  });

  it("rejects its request after too many failed attempts", async () => {
    const server = await serve({
      on: {
        "tools/call": (_, response) => {
          stream(response);
          response.end("id: 1\ndata:\n\n");
        },
        GET: (_, response) => end(response, 503),
      },
    });
    const { client } = await connected(server, { listen: false, reconnect: { retries: 2 } });
    const call = client.callTool({ name: "x" }, { timeout: Infinity });
    await expect(call).rejects.toBeInstanceOf(StreamEndedError);
    expect(server.of("GET")).toHaveLength(3);
  });

  it("is closed if it stays open after the response", async () => {
    const closed = new AbortController();
    const server = await serve({
      on: {
        "tools/call": (seen, response) => {
          stream(response, event(resultFor(seen, toolResult("here")), "1"));
          response.on("close", () => closed.abort());
        },
        ping: async (seen, response) => {
          while (!closed.signal.aborted) await new Promise((resolve) => setTimeout(resolve, 20));
          answer(response, seen, {});
        },
      },
    });
    const { client } = await connected(server, { listen: false });
    expect(await client.callTool({ name: "x" })).toEqual(toolResult("here"));
    expect(await client.ping()).toEqual({});
    expect(server.of("GET")).toEqual([]);
  });

  it("ends when it is closed, even if the platform does not notice", async () => {
    let open = 0;
    const hold: Handle = (_, response) => {
      stream(response, ":\n\n");
      open += 1;
      response.on("close", () => (open -= 1));
    };
    const server = await serve({ on: { "tools/call": hold, GET: hold } });
    const { client } = await connected(server, {
      fetch: (url, init) => fetch(url, { ...init, signal: null }),
    });
    const call = client.callTool({ name: "x" });
    call.catch(() => {});
    await until(() => open === 2);
    await client.close();
    await until(() => open === 0);
  });
});
