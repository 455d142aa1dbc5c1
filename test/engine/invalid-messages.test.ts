import { describe, expect, it } from "vitest";
import { RawPeer } from "./support/raw-peer.js";
import { rawClientOf, rawServerOf, TinyClient, TinyServer } from "./support/tiny-endpoints.js";
import { tinyRevision } from "./support/tiny-revision.js";

const legacy = [tinyRevision("one", { errorId: "required" })];
const modern = [tinyRevision("one", { errorId: "optional" })];

/** Creates a request with the given number of levels that is long enough to be inspected. */
function nested(levels: number): string {
  const inner = levels - 2;
  return `{"jsonrpc":"2.0","id":1,"method":"text/work","params":{"a":${"[".repeat(inner)}${"]".repeat(inner)}}}`;
}

describe("invalid messages at a server", () => {
  it.each([
    ["not JSON", "hello", -32700],
    ["a truncated object", '{"jsonrpc":"2.0","id":1,"meth', -32700],
    ["an empty object", "{}", -32600],
    ["a number", "42", -32600],
    ["a string", '"x"', -32600],
    ["null", "null", -32600],
    ["a wrong version", '{"jsonrpc":"1.0","method":"ping"}', -32600],
    ["a method that is not a string", '{"jsonrpc":"2.0","method":5}', -32600],
  ])(
    "are answered once with id null, and reported, and the server continues: %s (STDIO-24, F01, F03, F02)",
    async (_name, text, code) => {
      const server = new TinyServer({}, {}, legacy);
      const raw = await rawClientOf(server);
      raw.say(text);
      expect(await raw.next()).toEqual({
        jsonrpc: "2.0",
        id: null,
        error: { code, message: expect.any(String) },
      });
      expect(server.errors).toMatchObject([{ code: "INVALID_MESSAGE" }]);
      expect((await raw.call(1, "ping")).result).toEqual({});
    },
  );

  it("are answered with their id if it is readable (F02, BASE-09)", async () => {
    const raw = await rawClientOf(new TinyServer());
    raw.say({ jsonrpc: "2.0", id: "a", method: 7 });
    expect(await raw.next()).toMatchObject({ id: "a", error: { code: -32600 } });
    raw.say({ jsonrpc: "1.0", id: 3, method: "ping" });
    expect(await raw.next()).toMatchObject({ id: 3, error: { code: -32600 } });
  });

  it("are answered without id if the revision requires it (BASE-09)", async () => {
    const raw = await rawClientOf(new TinyServer({}, {}, modern));
    raw.say("hello");
    const answer = await raw.next();
    expect(answer.error.code).toBe(-32700);
    expect("id" in answer).toBe(false);
  });

  it.each([
    ["null if the revision requires one", legacy, null],
    ["none if the revision requires that", modern, undefined],
  ])(
    "are answered before a revision is agreed on with id %s (BASE-09)",
    async (_, revision, id) => {
      const raw = new RawPeer();
      await new TinyServer({}, {}, revision).connect(raw);
      raw.say("hello");
      const answer = await raw.next();
      expect([answer.id, answer.error.code]).toEqual([id, -32700]);
    },
  );

  it("are refused without recursion at 100 000 levels, with their id (F13)", async () => {
    const raw = await rawClientOf(new TinyServer({ "text/work": () => ({}) }));
    const deep = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    raw.say(`{"jsonrpc":"2.0","id":9,"method":"text/work","params":${deep}}`);
    expect(await raw.next()).toMatchObject({
      id: 9,
      error: { code: -32600, message: expect.stringContaining("256 levels") },
    });
    expect((await raw.call(1, "ping")).result).toEqual({});
  });

  it("may have 256 levels, but not 257 (F13)", async () => {
    const raw = await rawClientOf(new TinyServer({ "text/work": () => ({}) }));
    raw.say(nested(256));
    expect((await raw.next()).result).toEqual({});
    raw.say(nested(257));
    expect((await raw.next()).error.code).toBe(-32600);
  });

  it("are reported if they respond to an unknown request (I05)", async () => {
    const server = new TinyServer();
    const raw = await rawClientOf(server);
    raw.answer(99, {});
    raw.say({ jsonrpc: "2.0", id: "x", error: { code: 1, message: "no" } });
    raw.say({ jsonrpc: "2.0", id: 98, result: {}, error: { code: 1, message: "no" } });
    raw.say({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "what?" } });
    raw.say({ jsonrpc: "2.0", error: { code: -32700, message: "what?" } });
    expect(await raw.rest()).toEqual([]);
    expect(server.errors).toHaveLength(5);
    expect((await raw.call(1, "ping")).result).toEqual({});
  });
});

describe("invalid messages at a client", () => {
  it.each(["hello", "{}", "null", "[]", '{"jsonrpc":"2.0","method":5}'])(
    "are reported, without a response: %s (STDIO-24)",
    async (text) => {
      const client = new TinyClient();
      const raw = await rawServerOf(client);
      raw.say(text);
      expect(await raw.rest()).toEqual([]);
      expect(client.errors).toMatchObject([{ code: "INVALID_MESSAGE" }]);
    },
  );

  it("receive a response if they are requests with an invalid id", async () => {
    const raw = await rawServerOf(new TinyClient());
    raw.say({ jsonrpc: "2.0", id: null, method: "ping" });
    expect(await raw.next()).toMatchObject({ id: null, error: { code: -32600 } });
  });

  it("reject the request whose response is nested too deeply (F13)", async () => {
    const client = new TinyClient();
    const raw = await rawServerOf(client);
    const pending = client.request("text/work");
    const { id } = await raw.next();
    raw.say(`{"jsonrpc":"2.0","id":${id},"result":${'{"a":'.repeat(5000)}1${"}".repeat(5000)}}`);
    await expect(pending).rejects.toMatchObject({ code: "INVALID_MESSAGE" });
    expect(await raw.rest()).toEqual([]);
  });
});
