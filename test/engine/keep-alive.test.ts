import { describe, expect, it } from "vitest";
import { ConnectionClosedError } from "../../runtime/wire/errors.js";
import { RawPeer } from "./support/raw-peer.js";
import { deferred, rawClientOf, TinyServer } from "./support/tiny-endpoints.js";

const keepAlive = { interval: 20, timeout: 40 };

describe("keep-alive (PING-02, PING-03)", () => {
  it("pings at its interval, and continues while responses arrive", async () => {
    const server = new TinyServer({}, { keepAlive });
    const raw = await rawClientOf(server);
    for (let round = 0; round < 3; round++) {
      const ping = await raw.next();
      expect(ping.method).toBe("ping");
      raw.answer(ping.id, {});
    }
    await server.close();
    expect(raw.isClosed).toBe(true);
  });

  it("pings a session that was opened elsewhere", async () => {
    const server = new TinyServer({}, { keepAlive });
    const raw = new RawPeer();
    await server.connect(raw, { assume: "one" });
    expect((await raw.next()).method).toBe("ping");
    await server.close();
  });

  it("closes a connection whose peer does not respond", async () => {
    const server = new TinyServer({}, { keepAlive });
    const raw = await rawClientOf(server);
    const error = await server.closed;
    expect(error).toBeInstanceOf(ConnectionClosedError);
    expect(error!.message).toContain("does not respond to pings");
    expect(raw.isClosed).toBe(true);
  });

  it("accepts any response as a sign of life", async () => {
    const server = new TinyServer({}, { keepAlive });
    const raw = await rawClientOf(server);
    for (let round = 0; round < 3; round++) {
      const { id } = await raw.next();
      raw.say({ jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } });
    }
    expect(raw.isClosed).toBe(false);
    await server.close();
  });

  it("does not cut off responses after the last message of the client", async () => {
    const work = deferred<object>();
    const server = new TinyServer({ "text/work": () => work.promise }, { keepAlive });
    const raw = await rawClientOf(server);
    raw.ask(1, "text/work");
    expect((await raw.next()).method).toBe("ping");
    raw.receiver.ended();
    await new Promise((resolve) => setTimeout(resolve, 3 * keepAlive.interval));
    work.resolve({ done: true });
    expect((await raw.next()).result).toEqual({ done: true });
    expect(await server.closed).toBeUndefined();
  });

  it("sends no pings at an infinite interval", async () => {
    const server = new TinyServer({}, { keepAlive: { interval: Infinity } });
    const raw = await rawClientOf(server);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(await raw.rest()).toEqual([]);
    await server.close();
  });

  it.each([0, -1, Number.NaN])("rejects the interval %s", (interval) => {
    expect(() => new TinyServer({}, { keepAlive: { interval } })).toThrow(
      "keepAlive.interval must be a number of milliseconds above 0",
    );
  });

  it("stops with the connection", async () => {
    const server = new TinyServer({}, { keepAlive: { interval: 5 } });
    const raw = await rawClientOf(server);
    await server.close();
    await raw.rest();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(await raw.rest()).toEqual([]);
  });
});
