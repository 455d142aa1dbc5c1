import { afterEach, describe, expect, it, vi } from "vitest";
import { RawPeer, settled } from "../engine/support/raw-peer.js";
import {
  deferred,
  rawClientOf,
  type ServerContext,
  TinyClient,
  TinyServer,
} from "../engine/support/tiny-endpoints.js";
import { tinyRevision } from "../engine/support/tiny-revision.js";

const handler = (): object => ({});

describe("handlers and connections of a server", () => {
  afterEach(() => void vi.useRealTimers());

  it("reject a handler that no request could reach", () => {
    for (const method of ["no/such", "user/ask", "ping", "initialize", "constructor"]) {
      expect(() => new TinyServer({ [method]: handler })).toThrow(TypeError);
    }
    expect(() => new TinyServer({ "text/echo": "text" as never })).toThrow("not a function");
    expect(() => new TinyServer({}, {}, [])).toThrow("revision");
  });

  it("allow one connection at a time, and another after it", async () => {
    const server = new TinyServer({ "text/work": () => ({}) });
    const first = await rawClientOf(server);
    await expect(server.connect(new RawPeer())).rejects.toMatchObject({ code: "LIFECYCLE" });
    first.receiver.closed();
    expect(await server.closed).toBeUndefined();
    const second = await rawClientOf(server);
    expect((await second.call(1, "text/work")).result).toEqual({});
    const closed = server.closed;
    await server.close();
    expect(await closed).toBeUndefined();
  });

  it("reject connect() and close a transport that cannot start", async () => {
    const raw = new RawPeer();
    raw.start = () => {
      throw new Error("no wire");
    };
    const server = new TinyServer();
    await expect(server.connect(raw)).rejects.toThrow("no wire");
    expect(raw.isClosed).toBe(true);
  });

  it("end connect() on close() if its transport never starts", async () => {
    const raw = new RawPeer();
    raw.start = () => new Promise(() => {}) as never;
    const client = new TinyClient();
    const connecting = client.connect(raw);
    await client.close();
    await expect(connecting).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
    expect(raw.isClosed).toBe(true);
  });

  it("report rejected promises of a transport", async () => {
    const raw = new RawPeer();
    raw.send = () => Promise.reject(new Error("no wire")) as never;
    const server = new TinyServer({}, {}, [tinyRevision("one")]);
    await server.connect(raw);
    raw.ask(1, "ping");
    raw.ask(2, "no/such");
    await settled();
    expect(server.errors).toMatchObject([{ message: "no wire" }, { message: "no wire" }]);
  });

  it("offer only the session revisions among several (ERA-24)", async () => {
    const revisions = [tinyRevision("new", { lifecycle: "discover" }), tinyRevision("one")];
    const raw = await rawClientOf(new TinyServer({}, {}, revisions), { id: "new" });
    expect(raw.received[0].result.protocolVersion).toBe("one");
  });

  it("answer pending requests after the last message of the peer, then end (P01)", async () => {
    vi.useFakeTimers();
    const work = deferred<object>();
    let requested: Promise<unknown> | undefined;
    const handlers = {
      "text/work": (_params: never, { request }: ServerContext) => {
        requested = request("user/ask");
        return work.promise;
      },
    };
    const server = new TinyServer(handlers, { limits: { drain: 1e9 } });
    const raw = await rawClientOf(server, { capabilities: { ask: {} } });
    raw.ask(1, "text/work");
    await raw.next();
    raw.receiver.ended();
    await expect(requested).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
    await settled();
    expect(raw.isClosed).toBe(false);
    work.resolve({ done: true });
    expect(await raw.next()).toMatchObject({ id: 1, result: { done: true } });
    expect(await server.closed).toBeUndefined();
    expect(raw.isClosed).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("may wait for them without a limit (P09)", async () => {
    const server = new TinyServer(
      { "text/work": () => new Promise((resolve) => setTimeout(resolve, 30, {})) },
      { limits: { drain: Infinity } },
    );
    const raw = await rawClientOf(server);
    raw.ask(1, "text/work");
    raw.receiver.ended();
    expect((await raw.next()).result).toEqual({});
  });

  it("end at once if no request is pending, and abort a running handler in time (P01)", async () => {
    const idle = new TinyServer();
    (await rawClientOf(idle)).receiver.ended();
    expect(await idle.closed).toBeUndefined();

    let signal: AbortSignal | undefined;
    const never = new Promise(() => {});
    const handlers = {
      "text/work": (_params: never, context: ServerContext) => {
        signal = context.signal;
        return never;
      },
    };
    const busy = new TinyServer(handlers, { limits: { drain: 20 } });
    const raw = await rawClientOf(busy);
    raw.ask(1, "text/work");
    raw.receiver.ended();
    expect(await busy.closed).toBeUndefined();
    expect(signal!.aborted).toBe(true);
    expect(await raw.rest()).toEqual([]);
  });
});
