import { describe, expect, it } from "vitest";
import { RawPeer } from "../engine/support/raw-peer.js";
import { rawClientOf, TinyServer } from "../engine/support/tiny-endpoints.js";
import { tinyRevision } from "../engine/support/tiny-revision.js";

const params = (protocolVersion: unknown, rest: object = {}): object => ({
  protocolVersion,
  capabilities: { ask: {} },
  clientInfo: { name: "raw", version: "1" },
  ...rest,
});

async function connected(server: TinyServer): Promise<RawPeer> {
  const raw = new RawPeer();
  await server.connect(raw);
  return raw;
}

describe("initialize at a server", () => {
  it("is answered with version, capabilities, identity and instructions (LIFE-03)", async () => {
    const server = new TinyServer(
      { "text/echo": () => ({ text: "" }) },
      {
        instructions: "Be brief.",
        capabilities: { text: { changes: true }, experimental: { x: {} } },
      },
    );
    const raw = await connected(server);
    expect(server.client).toBeUndefined();
    expect(server.revision).toBeUndefined();
    expect((await raw.call(0, "initialize", params("one"))).result).toEqual({
      protocolVersion: "one",
      capabilities: { text: { changes: true }, experimental: { x: {} } },
      serverInfo: { name: "server" },
      instructions: "Be brief.",
    });
    expect(server.revision).toBe("one");
    expect(server.client).toEqual({
      info: { name: "raw", version: "1" },
      capabilities: { ask: {} },
    });
  });

  it.each([
    ["two", "two"],
    ["one", "one"],
    ["zero", "two"],
    ["9999-99-99", "two"],
    ["", "two"],
  ])(
    "receives for %j the response %j: the same if known, else the preferred revision (I20, LIFE-08)",
    async (wanted, given) => {
      const revisions = [tinyRevision("two"), tinyRevision("one")];
      const server = new TinyServer({}, {}, revisions);
      const raw = await connected(server);
      const { result } = await raw.call(0, "initialize", params(wanted));
      expect(result.protocolVersion).toBe(given);
      expect(server.revision).toBe(given);
    },
  );

  it.each([
    ["a version that is an array", params(["one"])],
    ["no version", params(undefined)],
    ["invalid capabilities", params("one", { capabilities: 5 })],
    ["no identity", params("one", { clientInfo: undefined })],
    ["no parameters", undefined],
    ["parameters that are a string", "one"],
  ])(
    "is refused with -32602 for %s, and another attempt may follow (LIFE-02, I20, I21)",
    async (_name, wrong) => {
      const server = new TinyServer();
      const raw = await connected(server);
      expect((await raw.call(0, "initialize", wrong)).error.code).toBe(-32602);
      expect(server.revision).toBeUndefined();
      expect((await raw.call(1, "initialize", params("one"))).result.protocolVersion).toBe("one");
    },
  );

  it("is answered with -32603 if the server's own identity is invalid in the revision", async () => {
    const server = new TinyServer();
    const broken = new (class extends TinyServer {
      constructor() {
        super({}, { instructions: 5 as never });
      }
    })();
    for (const [one, code] of [
      [server, undefined],
      [broken, -32603],
    ] as const) {
      const raw = await connected(one);
      expect((await raw.call(0, "initialize", params("one"))).error?.code).toBe(code);
    }
    expect(broken.errors).toMatchObject([{ code: "HANDLER" }]);
    expect(broken.revision).toBeUndefined();
  });

  it("is refused a second time and changes nothing (I10)", async () => {
    const revisions = [tinyRevision("two"), tinyRevision("one")];
    const server = new TinyServer({}, {}, revisions);
    const raw = await rawClientOf(server, { id: "one" });
    expect((await raw.call(1, "initialize", params("two"))).error.code).toBe(-32600);
    expect(server.revision).toBe("one");
    expect((await raw.call(2, "ping")).result).toEqual({});
  });
});

describe("the time before initialized, at a server", () => {
  it("refuses requests and answers ping (I10, LIFE-20, PING-01)", async () => {
    const raw = await connected(new TinyServer({ "text/echo": () => ({ text: "" }) }));
    expect((await raw.call(1, "text/echo", { text: "a" })).error.code).toBe(-32600);
    expect((await raw.call(2, "text/echo")).error.code).toBe(-32600);
    expect((await raw.call(3, "no/such")).error.code).toBe(-32601);
    expect((await raw.call(4, "ping")).result).toEqual({});
    raw.tell("notifications/typing");
    raw.tell("notifications/initialized");
    expect(await raw.rest()).toEqual([]);
  });

  it("refuses batches before a revision is agreed on", async () => {
    const raw = await connected(new TinyServer({}, {}, [tinyRevision("one", { batching: true })]));
    raw.say([{ jsonrpc: "2.0", id: 1, method: "ping" }]);
    expect(await raw.next()).toMatchObject({ id: null, error: { code: -32600 } });
  });

  it("answers requests between the response and initialized (I10)", async () => {
    const raw = await connected(
      new TinyServer({ "text/echo": ({ text }: { text: string }) => ({ text }) }),
    );
    raw.ask(0, "initialize", params("one"));
    raw.ask(1, "text/echo", { text: "early" });
    expect((await raw.rest()).map(({ id }) => id)).toEqual([0, 1]);
  });

  it("allows initialized twice (I10)", async () => {
    const server = new TinyServer();
    const raw = await rawClientOf(server);
    raw.tell("notifications/initialized");
    raw.tell("notifications/initialized", {});
    expect(await raw.rest()).toEqual([]);
    expect(server.errors).toEqual([]);
  });

  it("sends only pings (LIFE-06)", async () => {
    const server = new TinyServer({}, { capabilities: { text: { changes: true } } });
    const raw = await connected(server);
    await expect(server.request("ping")).rejects.toMatchObject({ code: "LIFECYCLE" });
    await expect(server.notify("notifications/changed")).rejects.toMatchObject({
      code: "LIFECYCLE",
    });
    await raw.call(0, "initialize", params("one"));
    await expect(server.request("user/ask")).rejects.toMatchObject({ code: "LIFECYCLE" });
    await expect(server.notify("notifications/changed")).rejects.toMatchObject({
      code: "LIFECYCLE",
    });
    const ping = server.request("ping");
    const { id, method } = await raw.next();
    expect(method).toBe("ping");
    raw.answer(id, {});
    await expect(ping).resolves.toEqual({});
    raw.tell("notifications/initialized");
    await server.notify("notifications/changed");
    expect(await raw.next()).toMatchObject({ method: "notifications/changed" });
  });

  it("sends notifications of a handler about its request", async () => {
    const raw = await connected(
      new TinyServer({
        "text/work": async (_params: never, { notify }) => {
          await notify("notifications/news", { headline: "early" });
          return {};
        },
      }),
    );
    await raw.call(0, "initialize", params("one"));
    raw.ask(1, "text/work");
    expect(await raw.next()).toMatchObject({ method: "notifications/news" });
  });
});
