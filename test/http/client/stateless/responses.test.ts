import { describe, expect, it } from "vitest";
import {
  AuthorizationError,
  HttpError,
  StreamEndedError,
} from "../../../../runtime/http/client/index.js";
import { end, event, json, resultFor, serve, stream, until, Wire } from "./support/wire.js";

const progressOf = (progress: number): object => ({
  jsonrpc: "2.0",
  method: "notifications/progress",
  params: { progressToken: 1, progress },
});
const error = (code: number, id?: unknown): object => ({
  jsonrpc: "2.0",
  ...(id !== undefined && { id }),
  error: { code, message: "no", data: { supported: ["x"] } },
});

describe("responses to stateless requests", () => {
  it("are JSON, or events that end with the response (SHTTP-11, SHTTP-13)", async () => {
    const server = await serve({
      "tools/call": (seen, response) => {
        stream(response, event(progressOf(1)) + event(progressOf(2)));
        response.end(event(resultFor(seen, { resultType: "complete", content: [] })));
      },
    });
    const wire = new Wire(server.url);
    expect((await wire.request("tools/list")).result).toEqual({ resultType: "complete" });
    expect((await wire.request("tools/call")).result.content).toEqual([]);
    expect(wire.messages.slice(1, 3)).toEqual([progressOf(1), progressOf(2)]);
    expect(wire.reported).toEqual([]);
  });

  it("may contain comments, event names and retry times, which are ignored (SHTTP-18)", async () => {
    const server = await serve({
      "tools/call": (seen, response) => {
        stream(response, ":\r\n\r\n: alive\n\nevent: ping\n\nretry: 1\n\n");
        response.end(`event: message\n${event(resultFor(seen, { content: [] }))}`);
      },
    });
    const wire = new Wire(server.url);
    expect((await wire.request("tools/call")).result).toEqual({ content: [] });
    expect(wire.messages).toHaveLength(1);
    expect(wire.reported).toEqual([]);
  });

  it("reject the request if a stream ends without the response, and are not resumed (RSM-07)", async () => {
    const server = await serve({
      "tools/call": (_, response) => {
        stream(response, event(progressOf(1), "event-1"));
        response.end("id: event-2\nretry: 1\ndata:\n\n");
      },
    });
    const wire = new Wire(server.url);
    await expect(wire.request("tools/call")).rejects.toBeInstanceOf(StreamEndedError);
    expect(server.of("GET")).toEqual([]);
  });

  it("may contain requests, which the client never answers (SHTTP-06)", async () => {
    const server = await serve({
      "tools/call": (seen, response) => {
        stream(response, event({ jsonrpc: "2.0", id: 7, method: "roots/list" }));
        response.end(event(resultFor(seen, { content: [] })));
      },
    });
    const wire = new Wire(server.url);
    await wire.request("tools/call");
    wire.transport.send({ jsonrpc: "2.0", id: 7, result: {} });
    wire.transport.send({ jsonrpc: "2.0", error: { code: -32600, message: "no" } });
    await wire.request("tools/list");
    expect(server.seen.map(({ body }) => body.method)).toEqual(["tools/call", "tools/list"]);
  });

  it.each([400, 404, 500, 200])("return the error of a response with status %i", async (status) => {
    const server = await serve({
      "tools/list": (seen, response) => json(response, status, error(-32601, seen.body.id)),
    });
    const answer = await new Wire(server.url).request("tools/list");
    expect(answer).toEqual(error(-32601, 1));
  });

  it.each([null, undefined])(
    "return the error of a 400 with the id %j, which belongs to no other request",
    async (id) => {
      const server = await serve({
        "tools/list": (_, response) => json(response, 400, error(-32022, id)),
      });
      const answer = await new Wire(server.url).request("tools/list");
      expect(answer).toEqual(error(-32022, 1));
    },
  );

  it.each([
    ["an empty body", 400, undefined],
    ["the id of another request", 400, error(-32601, 99)],
    ["no JSON-RPC", 404, { message: "nothing here" }],
    ["a temporary status", 503, error(-32603, 1)],
    ["a limit of the server", 429, error(-32603, 1)],
    ["headers that are too large", 431, undefined],
  ])("throw an HttpError for %s with status %i (ERA-10)", async (_, status, body) => {
    const server = await serve({
      "tools/list": (__, response) => (body ? json(response, status, body) : end(response, status)),
    });
    const failed = new Wire(server.url).request("tools/list");
    await expect(failed).rejects.toBeInstanceOf(HttpError);
    await expect(failed).rejects.toMatchObject({ status });
  });

  it("start authorization before they are interpreted (ERA-10)", async () => {
    const server = await serve({
      "tools/list": (seen, response) => {
        if (seen.headers.authorization === "Bearer 1") return json(response, 200, resultFor(seen));
        response.setHeader("www-authenticate", "Bearer");
        json(response, 401, error(-32001, seen.body.id));
      },
    });
    await expect(new Wire(server.url).request("tools/list")).rejects.toBeInstanceOf(
      AuthorizationError,
    );
    const headers: Record<string, string> = {};
    const authorize = async (): Promise<boolean> => {
      headers["authorization"] = "Bearer 1";
      return true;
    };
    const wire = new Wire(server.url, { headers: () => headers, authorize });
    expect((await wire.request("tools/list")).result).toEqual({});
    expect(server.seen.at(-1)!.headers["mcp-method"]).toBe("tools/list");
  });

  it("report a refused notification (SHTTP-09)", async () => {
    const server = await serve({ "acme/hello": (_, response) => end(response, 400) });
    const wire = new Wire(server.url);
    await wire.transport.send({ jsonrpc: "2.0", method: "acme/hello" });
    expect(wire.reported).toEqual([expect.objectContaining({ status: 400 })]);
  });

  it("may pause for long on a subscription only", async () => {
    const server = await serve({
      "tools/call": (_, response) => stream(response),
      "subscriptions/listen": (seen, response) => {
        stream(response);
        setTimeout(() => response.end(event(resultFor(seen))), 300);
      },
    });
    const wire = new Wire(server.url, { idleTimeout: 50 });
    const listening = wire.request("subscriptions/listen", { notifications: {} });
    await expect(wire.request("tools/call")).rejects.toThrow(StreamEndedError);
    expect((await listening).result).toEqual({});
  });
});

describe("cancelled requests", () => {
  it("are closed at once without a message (CANC-09, CANC-11, SHTTP-19)", async () => {
    const server = await serve({ "tools/call": (_, response) => stream(response) });
    const wire = new Wire(server.url);
    const id = wire.send("tools/call");
    await server.nth("tools/call", 1);
    expect(server.streaming()).toBe(1);
    expect(wire.transport.stateless!.cancel(id)).toBe(true);
    await until(() => server.streaming() === 0);
    expect(wire.transport.stateless!.cancel(id)).toBe(false);
    await wire.request("tools/list");
    expect(server.seen).toHaveLength(2);
    expect([...wire.failures, ...wire.reported]).toEqual([]);
  });

  it("are closed when the connection closes, which has no session", async () => {
    const server = await serve({ "tools/call": (_, response) => stream(response) });
    const wire = new Wire(server.url);
    wire.send("tools/call");
    await server.nth("tools/call", 1);
    await wire.transport.close();
    await until(() => server.streaming() === 0);
    expect(server.seen).toHaveLength(1);
    expect([...wire.failures, ...wire.reported]).toEqual([]);
  });
});
