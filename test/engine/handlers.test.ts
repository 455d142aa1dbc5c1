import { describe, expect, it, vi } from "vitest";
import { RpcError } from "../../runtime/wire/errors.js";
import { settled } from "./support/raw-peer.js";
import {
  deferred,
  rawClientOf,
  rawServerOf,
  TinyClient,
  TinyServer,
} from "./support/tiny-endpoints.js";

function fail(): never {
  throw new Error("onerror");
}

const echo = { "text/echo": ({ text }: { text: string }) => ({ text }) };

describe("results of handlers", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  const unsendable: [string, unknown][] = [
    ["undefined", undefined],
    ["null", null],
    ["a string", "text"],
    ["a BigInt inside", { text: "a", big: 1n }],
    ["a cycle", { text: "a", cyclic }],
    ["a value of another type than the result", { text: 5 }],
  ];

  it.each(unsendable)(
    "are refused once with -32603 and reported: %s (I15)",
    async (_name, value) => {
      const server = new TinyServer({ "text/echo": () => value });
      const raw = await rawClientOf(server);
      const expected = {
        jsonrpc: "2.0",
        id: 1,
        error: { code: -32603, message: "Internal error" },
      };
      expect(await raw.call(1, "text/echo", { text: "a" })).toEqual(expected);
      expect(await raw.rest()).toEqual([]);
      expect(server.errors).toMatchObject([{ code: "HANDLER", method: "text/echo" }]);
    },
  );

  it.each(unsendable)(
    "are refused in the same way as a promise: %s (I15)",
    async (_name, value) => {
      const server = new TinyServer({ "text/echo": async () => value });
      const raw = await rawClientOf(server);
      expect((await raw.call(1, "text/echo", { text: "a" })).error).toEqual({
        code: -32603,
        message: "Internal error",
      });
      expect(server.errors).toHaveLength(1);
    },
  );

  const frozen = Object.freeze(new Error("frozen, /home/secret"));
  const looped = new Error("looped, /home/secret");
  looped.cause = looped;
  const unprintable = {
    toString() {
      throw new Error("no");
    },
  };
  it.each([
    ["an error", new Error("private, /home/secret")],
    ["a frozen error", frozen],
    ["a cyclic error", looped],
    ["a string", "private, /home/secret"],
    ["undefined", undefined],
    ["something that cannot be printed", unprintable],
  ])("expose nothing to the peer if the handler throws %s (I15, ERR-11)", async (_name, thrown) => {
    const throwIt = (): never => {
      throw thrown;
    };
    for (const handler of [throwIt, async () => throwIt()]) {
      const server = new TinyServer({ "text/work": handler });
      const raw = await rawClientOf(server);
      const answer = await raw.call(1, "text/work");
      expect(answer).toEqual({
        jsonrpc: "2.0",
        id: 1,
        error: { code: -32603, message: "Internal error" },
      });
      expect(server.errors).toMatchObject([{ code: "HANDLER", method: "text/work" }]);
      expect(server.errors[0]!.cause).toBe(thrown);
    }
  });

  it("may be an RpcError, which is sent unchanged (BASE-08)", async () => {
    const server = new TinyServer({
      "text/work": () => {
        throw new RpcError(1234, "no such text", { text: "a" });
      },
    });
    const raw = await rawClientOf(server);
    expect((await raw.call(1, "text/work")).error).toEqual({
      code: 1234,
      message: "no such text",
      data: { text: "a" },
    });
    expect(server.errors).toEqual([]);
  });

  it("become -32603 for an RpcError with data that is not JSON", async () => {
    const server = new TinyServer({
      "text/work": () => {
        throw new RpcError(1234, "no such text", 1n);
      },
    });
    const raw = await rawClientOf(server);
    expect((await raw.call(1, "text/work")).error.code).toBe(-32603);
    expect(server.errors).toHaveLength(1);
  });

  it("have integers as error codes", () => {
    expect(() => new RpcError(1.5, "x")).toThrow(TypeError);
    expect(() => new RpcError("HANDLER" as never, "x")).toThrow(TypeError);
  });

  it("become -32603 if getters throw, without an unhandled rejection", async () => {
    const value = {
      get text(): string {
        throw new Error("gotcha");
      },
    };
    const raw = await rawClientOf(new TinyServer({ "text/echo": async () => value }));
    expect((await raw.call(1, "text/echo", { text: "" })).error.code).toBe(-32603);
  });

  it("are a task only for a request that wants one (TASK-04)", async () => {
    const handlers = { "user/ask": () => ({ task: { id: "t" } }) };
    const raw = await rawServerOf(new TinyClient(handlers, { capabilities: { tasks: {} } }));
    expect((await raw.call(1, "user/ask", { task: {} })).result).toEqual({ task: { id: "t" } });
    expect((await raw.call(2, "user/ask", {})).error.code).toBe(-32603);
  });

  it("are sent before anything else happens when they are synchronous", async () => {
    const raw = await rawClientOf(new TinyServer(echo));
    const before = raw.received.length;
    raw.ask(1, "text/echo", { text: "a" });
    expect(raw.received).toHaveLength(before + 1);
  });

  it("are not sent for a notification handler that throws, which is reported", async () => {
    const server = new TinyServer({
      "notifications/typing": async () => {
        throw new Error("broken");
      },
    });
    const raw = await rawClientOf(server);
    raw.tell("notifications/typing");
    expect(await raw.rest()).toEqual([]);
    expect(server.errors).toMatchObject([{ code: "HANDLER", method: "notifications/typing" }]);
  });

  it("are not affected by an onerror that rejects later", async () => {
    const onerror = vi.fn(async () => Promise.reject(new Error("onerror is broken")));
    const raw = await rawClientOf(new TinyServer({}, { onerror }));
    raw.say("no JSON");
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await raw.rest()).toHaveLength(1);
    expect(onerror).toHaveBeenCalledOnce();
  });

  it("are not affected by an onerror that throws", async () => {
    const handlers = { "text/work": () => Promise.reject(new Error("x")) };
    const raw = await rawClientOf(new TinyServer(handlers, { onerror: fail }));
    expect((await raw.call(1, "text/work")).error.code).toBe(-32603);
    expect((await raw.call(2, "ping")).result).toEqual({});
  });

  it("are -32603 for requests above the limit in flight, and the others continue (I17)", async () => {
    const release = deferred<object>();
    const server = new TinyServer(
      { "text/work": () => release.promise },
      { limits: { incoming: 3 } },
    );
    const raw = await rawClientOf(server);
    for (const id of [1, 2, 3]) raw.ask(id, "text/work");
    expect(await raw.call(4, "text/work")).toMatchObject({
      id: 4,
      error: { code: -32603, message: expect.stringContaining("3 requests are in flight") },
    });
    release.resolve({});
    await settled();
    expect((await raw.rest()).map(({ id }) => id)).toEqual([1, 2, 3]);
    expect((await raw.call(5, "ping")).result).toEqual({});
  });

  it("free their place when cancelled, within bounds while the handlers continue (I17)", async () => {
    const never = new Promise(() => {});
    const raw = await rawClientOf(
      new TinyServer({ "text/work": () => never }, { limits: { incoming: 1 } }),
    );
    for (const id of [1, 2]) {
      raw.ask(id, "text/work");
      raw.tell("notifications/cancelled", { requestId: id });
    }
    expect((await raw.call(3, "text/work")).error.code).toBe(-32603);
    expect((await raw.call(4, "ping")).result).toEqual({});
  });
});
