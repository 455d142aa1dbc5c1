import { afterEach, describe, expect, it, vi } from "vitest";
import { memoryPair } from "../../runtime/memory/memory-pair.js";
import { RawPeer } from "../engine/support/raw-peer.js";
import { rawServerOf, TinyClient, TinyServer } from "../engine/support/tiny-endpoints.js";
import { tinyRevision } from "../engine/support/tiny-revision.js";

const result = (protocolVersion: unknown, rest: object = {}): object => ({
  protocolVersion,
  capabilities: {},
  serverInfo: { name: "raw" },
  ...rest,
});

describe("connect() of a client", () => {
  afterEach(() => void vi.useRealTimers());

  it("initializes first, and sends initialized when it is done (LIFE-01, LIFE-02, LIFE-04)", async () => {
    const client = new TinyClient(
      { "user/ask": () => ({ answer: "" }) },
      { capabilities: { x: {} } },
    );
    const raw = new RawPeer();
    const connected = client.connect(raw);
    const initialize = await raw.next();
    expect(initialize).toEqual({
      jsonrpc: "2.0",
      id: expect.any(Number),
      method: "initialize",
      params: {
        protocolVersion: "one",
        capabilities: { ask: {}, x: {} },
        clientInfo: { name: "client" },
      },
    });
    expect(client.server).toBeUndefined();
    const extra = { capabilities: { text: {} }, instructions: "Be brief." };
    raw.answer(initialize.id, result("one", extra));
    await connected;
    expect(await raw.rest()).toEqual([{ jsonrpc: "2.0", method: "notifications/initialized" }]);
    expect(client.revision).toBe("one");
    expect(client.server).toEqual({ info: { name: "raw" }, ...extra });
  });

  it("offers the preferred revision and accepts another supported one (LIFE-07)", async () => {
    const revisions = [tinyRevision("two"), tinyRevision("one")];
    const client = new TinyClient({}, {}, revisions);
    const raw = await rawServerOf(client, { id: "one" });
    expect(raw.received[0].params.protocolVersion).toBe("two");
    expect(client.revision).toBe("one");
  });

  it("closes at a revision that it did not offer, and names it (I21, LIFE-09)", async () => {
    const client = new TinyClient();
    const raw = new RawPeer();
    const connected = client.connect(raw);
    raw.answer((await raw.next()).id, result("9999-99-99"));
    await expect(connected).rejects.toMatchObject({
      code: "UNSUPPORTED_REVISION",
      offered: ["one"],
      received: "9999-99-99",
      message: expect.stringContaining("9999-99-99"),
    });
    expect(await raw.rest()).toEqual([]);
    expect(raw.isClosed).toBe(true);
    expect(client.server).toBeUndefined();
  });

  it.each([
    ["invalid capabilities", result("one", { capabilities: "all" })],
    ["no identity", result("one", { serverInfo: undefined })],
    ["a version that is a number", result(1)],
    ["no version", result(undefined)],
    ["a string", "one"],
  ])("closes with an explanation at %s (I21, LIFE-03)", async (_name, wrong) => {
    const client = new TinyClient();
    const raw = new RawPeer();
    const connected = client.connect(raw);
    raw.answer((await raw.next()).id, wrong);
    await expect(connected).rejects.toMatchObject({ code: "INVALID_MESSAGE" });
    expect(await raw.rest()).toEqual([]);
    expect(raw.isClosed).toBe(true);
  });

  it("rejects with an error of the server (LIFE-10)", async () => {
    const client = new TinyClient();
    const raw = new RawPeer();
    const connected = client.connect(raw);
    const { id } = await raw.next();
    raw.say({ jsonrpc: "2.0", id, error: { code: -32602, message: "Unsupported", data: {} } });
    await expect(connected).rejects.toMatchObject({ code: -32602, message: "Unsupported" });
    expect(raw.isClosed).toBe(true);
  });

  it("rejects in time if a server is silent, without a cancellation (LIFE-15)", async () => {
    vi.useFakeTimers();
    const client = new TinyClient();
    const raw = new RawPeer();
    const connected = client.connect(raw, { timeout: 300 });
    await raw.next();
    vi.advanceTimersByTime(300);
    await expect(connected).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
    expect(await raw.rest()).toEqual([]);
    expect(raw.isClosed).toBe(true);
  });

  it("rejects if the connection ends meanwhile", async () => {
    const client = new TinyClient();
    const raw = new RawPeer();
    const connected = client.connect(raw);
    await raw.next();
    raw.receiver.closed();
    await expect(connected).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  });

  it("sends only pings until it is done (LIFE-05)", async () => {
    const client = new TinyClient();
    const raw = new RawPeer();
    const connected = client.connect(raw);
    const { id } = await raw.next();
    await expect(client.request("text/work")).rejects.toMatchObject({ code: "LIFECYCLE" });
    await expect(client.notify("notifications/typing")).rejects.toMatchObject({
      code: "LIFECYCLE",
    });
    const ping = client.request("ping");
    const { id: pingId, method } = await raw.next();
    expect(method).toBe("ping");
    raw.answer(pingId, {});
    await expect(ping).resolves.toEqual({});
    raw.answer(id, result("one"));
    await connected;
  });

  it("answers pings, handles notifications and refuses requests meanwhile", async () => {
    const notifications: unknown[] = [];
    const client = new TinyClient({
      "user/ask": () => ({ answer: "early" }),
      "notifications/news": (params: object) => void notifications.push(params),
    });
    const raw = new RawPeer();
    const connected = client.connect(raw);
    const { id } = await raw.next();
    expect(await raw.call("a", "ping")).toMatchObject({ id: "a", result: {} });
    expect(await raw.call("b", "user/ask")).toMatchObject({ id: "b", error: { code: -32600 } });
    raw.tell("notifications/news", { headline: "early" });
    expect(notifications).toEqual([{ headline: "early" }]);
    raw.answer(id, result("one"));
    await connected;
    await raw.next();
    expect(await raw.call("c", "user/ask")).toMatchObject({ result: { answer: "early" } });
  });

  it("rejects initialize and initialized if the user sends them", async () => {
    const client = new TinyClient();
    const raw = await rawServerOf(client);
    const initialize = client.request("initialize" as "ping");
    await expect(initialize).rejects.toMatchObject({ code: "LIFECYCLE" });
    const initialized = client.notify("notifications/initialized" as "notifications/typing");
    await expect(initialized).rejects.toMatchObject({ code: "LIFECYCLE" });
    expect(await raw.rest()).toEqual([]);
  });

  it("names server/discover if a stateless revision needs it instead", async () => {
    const client = new TinyClient({}, {}, [tinyRevision("new", { lifecycle: "discover" })]);
    const raw = new RawPeer();
    await expect(client.connect(raw)).rejects.toMatchObject({ code: "LIFECYCLE" });
    expect(raw.received).toEqual([]);
    expect(raw.isClosed).toBe(true);
  });
});

describe("capabilities of a client", () => {
  it("prevent undeclared requests (LIFE-12)", async () => {
    const client = new TinyClient();
    const raw = await rawServerOf(client, { capabilities: { text: { watch: false } } });
    void client.request("text/echo", { text: "declared" });
    expect((await raw.next()).method).toBe("text/echo");
    await expect(client.request("text/watch")).rejects.toMatchObject({
      capability: "server.text.watch",
    });
    expect(await raw.rest()).toEqual([]);
  });

  it("answer -32601 to requests without a handler (ROOT-05)", async () => {
    const raw = await rawServerOf(new TinyClient());
    expect((await raw.call(1, "user/ask")).error.code).toBe(-32601);
    expect((await raw.call(2, "text/echo", { text: "" })).error.code).toBe(-32601);
  });

  it.each([
    ["a member that needs an undeclared capability", { secret: 1 }, -32602],
    ["a member that the peer should not have sent", { context: "x" }, undefined],
  ])("refuse a request with %s: %s (ELIC-06, SAMP-08)", async (_name, params, code) => {
    const raw = await rawServerOf(new TinyClient({ "user/ask": () => ({ answer: "yes" }) }));
    const { error, result: given } = await raw.call(1, "user/ask", params);
    expect(error?.code).toBe(code);
    expect(given).toEqual(code === undefined ? { answer: "yes" } : undefined);
  });

  it("hide a member without effect from the handler (TASK-03)", async () => {
    const seen: unknown[] = [];
    const handler = (params: object): object => {
      seen.push(params);
      return { answer: "yes" };
    };
    const raw = await rawServerOf(new TinyClient({ "user/ask": handler }));
    await raw.call(1, "user/ask", { task: {}, question: "?" });
    expect(seen).toEqual([{ question: "?" }]);
  });
});

describe("client and server together in memory", () => {
  it("exchange messages in both directions", async () => {
    const texts: string[] = [];
    const [near, far] = memoryPair({ ontext: (text, from) => texts.push(`${from} ${text}`) });
    const server = new TinyServer({
      "text/echo": async ({ text }: { text: string }, { request }) => {
        const { answer } = await request("user/ask", { question: text });
        return { text: `${text} ${answer}` };
      },
    });
    const client = new TinyClient({
      "user/ask": async ({ question }: { question: string }) => ({ answer: `${question}?` }),
    });
    await Promise.all([server.connect(far), client.connect(near)]);
    await expect(client.request("text/echo", { text: "hi" })).resolves.toEqual({ text: "hi hi?" });
    expect(texts).toHaveLength(7);
    const closed = server.closed;
    await client.close();
    expect(await closed).toBeUndefined();
    expect([...client.errors, ...server.errors]).toEqual([]);
  });
});
