import { describe, expect, it } from "vitest";
import { RawPeer } from "./support/raw-peer.js";
import {
  deferred,
  rawClientOf,
  rawServerOf,
  TinyClient,
  TinyServer,
} from "./support/tiny-endpoints.js";
import { tinyRevision } from "./support/tiny-revision.js";

const batching = [tinyRevision("one", { batching: true })];

const ping = (id: unknown): object => ({ jsonrpc: "2.0", id, method: "ping" });
const pings = (count: number): object[] => Array.from({ length: count }, (_, id) => ping(id));
const typing = { jsonrpc: "2.0", method: "notifications/typing" };

describe("batches if the revision has them", () => {
  it("receive one array of responses if mixed (F19, BATCH-02, BATCH-09)", async () => {
    const slow = deferred<object>();
    let typed = 0;
    const handlers = {
      "text/work": () => slow.promise,
      "notifications/typing": () => void typed++,
    };
    const server = new TinyServer(handlers, {}, batching);
    const raw = await rawClientOf(server);
    raw.say([ping(1), typing, { jsonrpc: "2.0", id: 2, method: "text/work" }, ping("3"), {}]);
    expect(await raw.rest()).toEqual([]);
    slow.resolve({ done: true });
    const answers = await raw.next();
    expect(typed).toBe(1);
    expect(answers).toHaveLength(4);
    expect(answers).toContainEqual({ jsonrpc: "2.0", id: 1, result: {} });
    expect(answers).toContainEqual({ jsonrpc: "2.0", id: "3", result: {} });
    expect(answers).toContainEqual({ jsonrpc: "2.0", id: 2, result: { done: true } });
    expect(answers).toContainEqual({
      jsonrpc: "2.0",
      id: null,
      error: { code: -32600, message: expect.any(String) },
    });
    expect(await raw.rest()).toEqual([]);
  });

  it("receive no response if they hold only notifications (F19, BATCH-10)", async () => {
    const raw = await rawClientOf(new TinyServer({}, {}, batching));
    raw.say([typing, typing]);
    expect(await raw.rest()).toEqual([]);
  });

  it("settle the requests whose responses they hold (F19, BATCH-09)", async () => {
    const client = new TinyClient({}, {}, batching);
    const raw = await rawServerOf(client);
    const [one, two] = [client.request("ping"), client.request("text/work")];
    const [{ id: first }, { id: second }] = [await raw.next(), await raw.next()];
    raw.say([
      { jsonrpc: "2.0", id: second, error: { code: 5, message: "no" } },
      { jsonrpc: "2.0", id: first, result: {} },
    ]);
    await expect(one).resolves.toEqual({});
    await expect(two).rejects.toMatchObject({ code: 5 });
  });

  it("are refused by one message if empty (F19, BATCH-10)", async () => {
    const raw = await rawClientOf(new TinyServer({}, {}, batching));
    raw.say("[]");
    expect(await raw.next()).toMatchObject({ id: null, error: { code: -32600 } });
  });

  it("may hold 100 messages; 101 and 10 000 are refused as a whole (F19)", async () => {
    const raw = await rawClientOf(new TinyServer({}, {}, batching));
    raw.say(pings(100));
    expect(await raw.next()).toHaveLength(100);
    for (const count of [101, 10_000]) {
      raw.say(pings(count));
      expect(await raw.next()).toMatchObject({
        id: null,
        error: { code: -32600, message: expect.stringContaining("more than 100") },
      });
    }
    expect(await raw.rest()).toEqual([]);
  });

  it("are refused as members of a batch (F19)", async () => {
    const raw = await rawClientOf(new TinyServer({}, {}, batching));
    raw.say([[ping(1)], ping(2)]);
    expect(await raw.next()).toMatchObject([{ id: null, error: { code: -32600 } }, { id: 2 }]);
  });

  it("must not hold initialize, before and after the handshake (F19, BATCH-04)", async () => {
    const raw = new RawPeer();
    const server = new TinyServer({}, {}, batching);
    await server.connect(raw);
    const params = { protocolVersion: "one", capabilities: {}, clientInfo: { name: "raw" } };
    const initialize = { jsonrpc: "2.0", id: 1, method: "initialize", params };
    raw.say([initialize]);
    expect(await raw.next()).toMatchObject({ id: null, error: { code: -32600 } });
    expect(server.client).toBeUndefined();
    raw.say(initialize);
    expect((await raw.next()).result.protocolVersion).toBe("one");
    raw.say([{ ...initialize, id: 2 }]);
    expect(await raw.next()).toMatchObject([{ id: 2, error: { code: -32600 } }]);
  });

  it("replace a response that is not JSON, and send the others", async () => {
    const handlers = { "text/work": () => ({ big: 1n }) };
    const raw = await rawClientOf(new TinyServer(handlers, {}, batching));
    raw.say([{ jsonrpc: "2.0", id: 1, method: "text/work" }, ping(2)]);
    expect(await raw.next()).toMatchObject([{ id: 1, error: { code: -32603 } }, { id: 2 }]);
  });

  it("omit a cancelled member (CANC-05)", async () => {
    const never = new Promise(() => {});
    const raw = await rawClientOf(new TinyServer({ "text/work": () => never }, {}, batching));
    raw.say([{ jsonrpc: "2.0", id: 1, method: "text/work" }, ping(2)]);
    raw.tell("notifications/cancelled", { requestId: 1 });
    expect(await raw.next()).toEqual([{ jsonrpc: "2.0", id: 2, result: {} }]);
    raw.say([{ jsonrpc: "2.0", id: 3, method: "text/work" }]);
    raw.tell("notifications/cancelled", { requestId: 3 });
    expect(await raw.rest()).toEqual([]);
  });

  it("refuse the second of two equal ids (I01)", async () => {
    const slow = deferred<object>();
    const raw = await rawClientOf(
      new TinyServer({ "text/work": () => slow.promise }, {}, batching),
    );
    const work = { jsonrpc: "2.0", id: 1, method: "text/work" };
    raw.say([work, work]);
    slow.resolve({});
    const answers = await raw.next();
    expect(answers).toHaveLength(2);
    expect(answers).toMatchObject([{ error: { code: -32600 } }, { result: {} }]);
  });
});

describe("batches if the revision has none", () => {
  it("are refused by one message that names the reason (F18, BATCH-01, BATCH-11)", async () => {
    const raw = await rawClientOf(new TinyServer());
    raw.say([ping(1), ping(2)]);
    expect(await raw.next()).toMatchObject({
      id: null,
      error: { code: -32600, message: expect.stringContaining("no batches in one") },
    });
    expect(await raw.rest()).toEqual([]);
  });
});
