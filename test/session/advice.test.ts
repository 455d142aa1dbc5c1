import { describe, expect, it } from "vitest";
import { ConnectionClosedError } from "../../runtime/wire/errors.js";
import { memoryPair } from "../../runtime/memory/memory-pair.js";
import { RawPeer } from "../engine/support/raw-peer.js";
import { rawClientOf, TinyClient, TinyServer } from "../engine/support/tiny-endpoints.js";

describe("errors give advice", () => {
  it("for a second connection of a server: call fork()", async () => {
    const server = new TinyServer();
    await rawClientOf(server);
    await expect(server.connect(new RawPeer())).rejects.toThrow("fork() it");
  });

  it("for a transport in use by another client or server", async () => {
    const [near, far] = memoryPair();
    const transport = { ...new RawPeer(), start: () => {}, send: () => undefined, close: () => {} };
    await new TinyServer().connect(transport);
    await expect(new TinyServer().connect(transport)).rejects.toThrow("create a new one");
    await Promise.all([new TinyServer().connect(far), new TinyClient().connect(near)]);
  });

  it("after the end of a connection, with its cause", async () => {
    const server = new TinyServer();
    const raw = await rawClientOf(server);
    const failure = new ConnectionClosedError("the wire was cut");
    raw.receiver.closed(failure);
    await expect(server.request("user/ask", { mode: "form" })).rejects.toMatchObject({
      message: "The connection is closed: the wire was cut",
      cause: failure,
    });
  });

  it("for handlers in the wrong place, or of the other side", () => {
    expect(() => new TinyServer({ features: () => ({}) })).toThrow("options are the third");
    expect(() => new TinyServer({ "user/ask": () => ({}) })).toThrow("the other side handles it");
  });
});
