import { describe, expect, it } from "vitest";
import { deferred, rawClientOf, TinyServer } from "./support/tiny-endpoints.js";

const echo = { "text/echo": ({ text }: { text: string }) => ({ text }) };

describe("received requests", () => {
  it("are answered with their id in its JSON type (BASE-06)", async () => {
    const raw = await rawClientOf(new TinyServer(echo));
    expect(await raw.call(7, "text/echo", { text: "a" })).toEqual({
      jsonrpc: "2.0",
      id: 7,
      result: { text: "a" },
    });
    expect((await raw.call("7", "text/echo", { text: "b" })).id).toBe("7");
  });

  it.each([
    ["zero", 0],
    ["a negative id", -3],
    ["the empty string", ""],
    ["unicode", "ключ-🔑"],
    ["the longest string", "x".repeat(1024)],
    ["the largest exact integer", Number.MAX_SAFE_INTEGER],
  ])("may have the id %s (I03, BASE-03)", async (_name, id) => {
    const raw = await rawClientOf(new TinyServer(echo));
    expect((await raw.call(id, "text/echo", { text: "a" })).id).toBe(id);
  });

  it.each([
    ["null", "null"],
    ["a fraction", "1.5"],
    ["beyond exact integers", "9007199254740993"],
    ["beyond numbers", "1e400"],
    ["a megabyte", JSON.stringify("x".repeat(1_000_000))],
    ["a boolean", "true"],
    ["an object", "{}"],
  ])("get -32600 with id null for the id %s (BASE-03, I04, F17, I03)", async (_name, id) => {
    const raw = await rawClientOf(new TinyServer(echo));
    raw.say(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
    const answer = await raw.next();
    expect(answer).toMatchObject({
      id: null,
      error: { code: -32600, message: expect.stringContaining("an id must be a string") },
    });
    expect((await raw.call(1, "ping")).result).toEqual({});
  });

  it("may have the id -0, which is 0", async () => {
    const raw = await rawClientOf(new TinyServer(echo));
    raw.say('{"jsonrpc":"2.0","id":-0,"method":"ping"}');
    expect(await raw.next()).toEqual({ jsonrpc: "2.0", id: 0, result: {} });
  });

  it("are refused for an id in flight, and the first is answered (I01)", async () => {
    const first = deferred<object>();
    const raw = await rawClientOf(new TinyServer({ "text/work": () => first.promise }));
    raw.ask(1, "text/work");
    expect(await raw.call(1, "text/work")).toMatchObject({ id: 1, error: { code: -32600 } });
    first.resolve({ done: true });
    expect(await raw.next()).toEqual({ jsonrpc: "2.0", id: 1, result: { done: true } });
    raw.ask(1, "ping");
    expect((await raw.next()).result).toEqual({});
  });

  it("may share an id on two connections (I02)", async () => {
    const [one, two] = [deferred<object>(), deferred<object>()];
    const rawOne = await rawClientOf(new TinyServer({ "text/work": () => one.promise }));
    const rawTwo = await rawClientOf(new TinyServer({ "text/work": () => two.promise }));
    rawOne.ask(1, "text/work");
    rawTwo.ask(1, "text/work");
    two.resolve({ from: "two" });
    one.resolve({ from: "one" });
    expect((await rawOne.next()).result).toEqual({ from: "one" });
    expect((await rawTwo.next()).result).toEqual({ from: "two" });
  });

  it.each([
    ["unknown", "text/none"],
    ["toString", "toString"],
    ["__proto__", "__proto__"],
    ["constructor", "constructor"],
    ["empty", ""],
    ["a megabyte", "m".repeat(1_000_000)],
    ["a method of the other side", "user/ask"],
    ["a notification with an id", "notifications/typing"],
    ["a method that this server does not offer", "text/watch"],
  ])("receive -32601 with a short text for %s (I11, I12)", async (_name, method) => {
    const raw = await rawClientOf(new TinyServer(echo));
    const { id, error } = await raw.call(5, method);
    expect(id).toBe(5);
    expect(error.code).toBe(-32601);
    expect(error.message.length).toBeLessThan(300);
  });

  it("are ignored if they are unknown notifications, or have no id (I11, BASE-10)", async () => {
    const server = new TinyServer(echo);
    const raw = await rawClientOf(server);
    raw.tell("notifications/none");
    raw.tell("text/echo", { text: 1 });
    raw.tell("notifications/news", { headline: "not from a client" });
    expect(await raw.rest()).toEqual([]);
    expect(server.errors).toEqual([]);
  });

  it.each([
    ["missing", undefined],
    ["null", null],
    ["an array", []],
    ["a string", "text"],
    ["a member of the wrong type", { text: 1 }],
  ])("receive -32602 with place and reason for %s parameters (I14)", async (_name, params) => {
    const raw = await rawClientOf(new TinyServer(echo));
    const { error } = await raw.call(1, "text/echo", params);
    expect(error.code).toBe(-32602);
    expect(error.message).toMatch(/^Invalid params: .*expected (object|string), received /);
    expect(error.message.length).toBeLessThan(1100);
    expect((await raw.call(2, "text/echo", { text: "ok" })).result).toEqual({ text: "ok" });
  });

  it("have their common parameters checked if the envelope is outside them (META-01)", async () => {
    const raw = await rawClientOf(new TinyServer(echo));
    const { error } = await raw.call(1, "text/echo", { text: "a", _meta: 1 });
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("/_meta") });
  });

  it("keep members with the names of inherited ones (F16)", async () => {
    const seen: unknown[] = [];
    const raw = await rawClientOf(
      new TinyServer({
        "text/work": (params: object) => {
          seen.push(params);
          return params;
        },
      }),
    );
    const text = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    raw.say(`{"jsonrpc":"2.0","id":1,"method":"text/work","params":${text},"__proto__":{"id":2}}`);
    expect(JSON.stringify((await raw.next()).result)).toBe(text);
    expect(Object.keys(seen[0] as object)).toEqual(["__proto__", "constructor"]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it("use the last of two members with one name (F15)", async () => {
    const raw = await rawClientOf(new TinyServer(echo));
    raw.say('{"jsonrpc":"2.0","id":1,"method":"nope","method":"ping"}');
    expect((await raw.next()).result).toEqual({});
  });
});
