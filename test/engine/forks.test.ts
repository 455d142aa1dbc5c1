import { describe, expect, it } from "vitest";
import { LifecycleError } from "../../runtime/wire/errors.js";
import type { HandlerContext } from "../../runtime/api/handlers.js";
import { RawPeer, settled } from "./support/raw-peer.js";
import { TinyServer } from "./support/tiny-endpoints.js";

const initialize = {
  protocolVersion: "one",
  capabilities: {},
  clientInfo: { name: "raw" },
};

async function initialized(server: TinyServer): Promise<RawPeer> {
  const raw = new RawPeer();
  await server.connect(raw);
  await raw.call("init", "initialize", initialize);
  raw.tell("notifications/initialized");
  return raw;
}

describe("forks", () => {
  it("serve one connection each with the same handlers (I02)", async () => {
    const sessions = new Set<unknown>();
    const server = new TinyServer({
      "text/echo": ({ text }: { text: string }, { session }) => {
        sessions.add(session);
        return { text };
      },
    });
    const [one, two] = await Promise.all([initialized(server.fork()), initialized(server.fork())]);
    one.ask(1, "text/echo", { text: "a" });
    two.ask(1, "text/echo", { text: "b" });
    expect((await one.next()).result).toEqual({ text: "a" });
    expect((await two.next()).result).toEqual({ text: "b" });
    await two.call(2, "text/echo", { text: "c" });
    expect(sessions.size).toBe(2);
    expect(server.sessions.size).toBe(2);
  });

  it("are removed with their connection", async () => {
    const server = new TinyServer();
    const fork = server.fork();
    const raw = await initialized(fork);
    raw.receiver.closed();
    await fork.closed;
    await Promise.resolve();
    expect(server.sessions.size).toBe(0);
  });

  it("are no sessions before they are connected", () => {
    const server = new TinyServer();
    server.fork();
    expect(server.sessions.size).toBe(0);
  });

  it("may all be closed during a broadcast", async () => {
    const server = new TinyServer();
    const fork = server.fork();
    const raw = await initialized(fork);
    raw.receiver.closed();
    await fork.closed;
    await expect(server.notify("notifications/news", { headline: "x" })).resolves.toBeUndefined();
  });

  it("may close during a broadcast", async () => {
    const server = new TinyServer();
    const peers = await Promise.all([1, 2, 3].map(() => initialized(server.fork())));
    const [first, second, third] = peers as [RawPeer, RawPeer, RawPeer];
    const send = first.send.bind(first);
    first.send = (frame) => {
      second.receiver.closed();
      return send(frame);
    };
    await server.notify("notifications/news", { headline: "x" });
    expect((await third.next()).method).toBe("notifications/news");
    expect(await second.rest()).toEqual([]);
    await settled();
    expect(server.sessions.size).toBe(2);
  });

  it("report a broadcast that cannot be sent", async () => {
    const server = new TinyServer();
    await initialized(server.fork());
    const params = { headline: 1n } as unknown as { headline: string };
    await server.notify("notifications/news", params);
    await settled();
    expect(server.errors[0]).toBeInstanceOf(TypeError);
  });

  it("close with their server", async () => {
    const server = new TinyServer();
    const raw = await initialized(server.fork());
    await server.close();
    expect(raw.isClosed).toBe(true);
  });

  it("receive broadcasts once their client is ready", async () => {
    const server = new TinyServer();
    const ready = await initialized(server.fork());
    const early = new RawPeer();
    await server.fork().connect(early);
    await server.notify("notifications/news", { headline: "here" });
    expect((await ready.next()).method).toBe("notifications/news");
    expect(await early.rest()).toEqual([]);
  });

  it("do not share a connection: a server has one transport", async () => {
    const fork = new TinyServer().fork();
    await initialized(fork);
    await expect(fork.connect(new RawPeer())).rejects.toThrow(LifecycleError);
  });
});

describe("serving without a session", () => {
  it("answers at once, at the assumed revision (SESS-14)", async () => {
    let context: HandlerContext | undefined;
    const server = new TinyServer({
      "text/echo": ({ text }: { text: string }, ctx) => {
        context = ctx;
        return { text };
      },
    });
    const raw = new RawPeer();
    await server.fork().connect(raw, { assume: "one" });
    expect((await raw.call(1, "text/echo", { text: "x" })).result).toEqual({ text: "x" });
    expect(context!.session.revision.id).toBe("one");
    expect(context!.session.peer).toEqual({ info: undefined, capabilities: {} });
  });

  it("refuses a revision that the server does not have", async () => {
    const connecting = new TinyServer().connect(new RawPeer(), { assume: "none" });
    await expect(connecting).rejects.toThrow("Cannot serve none");
  });
});
