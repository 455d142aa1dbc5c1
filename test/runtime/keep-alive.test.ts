import { describe, expect, it } from "vitest";
import { ConnectionClosedError } from "../../runtime/errors.js";
import { rawClientOf, TinyServer } from "./support/tiny-endpoints.js";

const keepAlive = { interval: 20, timeout: 40 };

describe("keep-alive (PING-02, PING-03)", () => {
  it("pings at its interval, and goes on while answers come", async () => {
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

  it("ends a connection whose peer does not answer", async () => {
    const server = new TinyServer({}, { keepAlive });
    const raw = await rawClientOf(server);
    const error = await server.closed;
    expect(error).toBeInstanceOf(ConnectionClosedError);
    expect(error!.message).toContain("does not answer pings");
    expect(raw.isClosed).toBe(true);
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
