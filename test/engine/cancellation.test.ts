import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { ConnectionClosedError } from "../../runtime/wire/errors.js";
import { settled } from "./support/raw-peer.js";
import {
  deferred,
  rawClientOf,
  rawServerOf,
  type ServerContext,
  TinyClient,
  TinyServer,
} from "./support/tiny-endpoints.js";

describe("cancellation by the peer", () => {
  it.each([1, 0, "", "x"])(
    "aborts the handler of %j, and no response follows (CANC-05)",
    async (id) => {
      const work = deferred<object>();
      let context: ServerContext | undefined;
      const server = new TinyServer({
        "text/work": (_params: never, given) => {
          context = given;
          void given.signal;
          return work.promise;
        },
      });
      const raw = await rawClientOf(server);
      raw.ask(id, "text/work");
      raw.tell("notifications/cancelled", { requestId: id, reason: "changed my mind" });
      expect(context!.signal.aborted).toBe(true);
      expect(context!.signal.reason).toMatchObject({ code: "REQUEST_CANCELLED", id });
      expect(context!.signal.reason.message).toContain("changed my mind");
      work.resolve({ late: true });
      expect(await raw.rest()).toEqual([]);
      expect(server.errors).toEqual([]);
    },
  );

  it("aborts a signal that is read after the cancellation", async () => {
    const looked = deferred<boolean>();
    const go = deferred<void>();
    const server = new TinyServer({
      "text/work": async (_params: never, context) => {
        await go.promise;
        looked.resolve(context.signal.aborted);
        return {};
      },
    });
    const raw = await rawClientOf(server);
    raw.ask(1, "text/work");
    raw.tell("notifications/cancelled", { requestId: 1 });
    go.resolve();
    expect(await looked.promise).toBe(true);
    expect(await raw.rest()).toEqual([]);
  });

  it("hides the failure that it causes in a handler (CANC-05)", async () => {
    const server = new TinyServer({
      "text/work": (_params: never, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Error("aborted")));
        }),
    });
    const raw = await rawClientOf(server);
    raw.ask(1, "text/work");
    raw.tell("notifications/cancelled", { requestId: 1 });
    expect(await raw.rest()).toEqual([]);
    expect(server.errors).toEqual([]);
  });

  it.each([
    ["unknown", { requestId: 99 }],
    ["another JSON type", { requestId: "1" }],
    ["the handshake", { requestId: "init" }],
    ["malformed", { requestId: null }],
    ["malformed", {}],
    ["malformed", []],
    ["malformed", undefined],
  ])("is ignored without a message for %s (CANC-06, CANC-14, I08)", async (_name, params) => {
    const work = deferred<object>();
    const server = new TinyServer({ "text/work": () => work.promise });
    const raw = await rawClientOf(server);
    raw.ask(1, "text/work");
    raw.tell("notifications/cancelled", params);
    work.resolve({ done: true });
    expect(await raw.next()).toMatchObject({ id: 1, result: { done: true } });
    expect(server.errors).toEqual([]);
  });

  it("is too late after the response (I09)", async () => {
    const raw = await rawClientOf(new TinyServer());
    expect((await raw.call(1, "ping")).result).toEqual({});
    raw.tell("notifications/cancelled", { requestId: 1 });
    expect(await raw.rest()).toEqual([]);
    expect((await raw.call(1, "ping")).result).toEqual({});
  });

  it("has exactly one outcome between the result and the response (I09)", async () => {
    const work = deferred<object>();
    const raw = await rawClientOf(new TinyServer({ "text/work": () => work.promise }));
    raw.ask(1, "text/work");
    work.resolve({});
    raw.tell("notifications/cancelled", { requestId: 1 });
    expect(await raw.rest()).toEqual([]);
  });

  it("aborts a handler that closes the connection before its first await (I19)", async () => {
    const reasons: unknown[] = [];
    const end = async (_params: never, { signal }: ServerContext) => {
      signal.addEventListener("abort", () => reasons.push(signal.reason));
      raw.receiver.closed();
      await new Promise(() => {});
    };
    const server = new TinyServer({ "text/work": end, "notifications/typing": end });
    let raw = await rawClientOf(server);
    raw.ask(1, "text/work");
    raw = await rawClientOf(server);
    raw.tell("notifications/typing");
    const closed = { code: "CONNECTION_CLOSED" };
    expect(reasons).toMatchObject([closed, closed]);
  });

  it("cancels the requests of the handler to the client (T16)", async () => {
    const outcome = deferred<unknown>();
    const server = new TinyServer({
      "text/work": async (_params: never, context) => {
        await context.request("user/ask").catch(outcome.resolve);
        await context.request("user/ask").catch(() => {});
        await context.notify("notifications/news", { headline: "late" });
        return {};
      },
    });
    const raw = await rawClientOf(server, { capabilities: { ask: {} } });
    const ask = await raw.call(1, "text/work");
    expect(ask.method).toBe("user/ask");
    expect(raw.related.at(-1)).toBe(1);
    raw.tell("notifications/cancelled", { requestId: 1, reason: "stop" });
    expect(await raw.next()).toMatchObject({
      method: "notifications/cancelled",
      params: { requestId: ask.id },
    });
    expect(raw.related.at(-1)).toBe(1);
    expect(await outcome.promise).toMatchObject({ code: "REQUEST_CANCELLED" });
    expect(await raw.rest()).toEqual([]);
  });

  it("is sent where the cancelled request was sent (CANC-01)", async () => {
    const server = new TinyServer({
      "text/work": async (_params: never, context) => {
        await context.request("user/ask", {}, { timeout: 1 }).catch(() => {});
        return {};
      },
    });
    const raw = await rawClientOf(server, { capabilities: { ask: {} } });
    await raw.call(1, "text/work");
    expect((await raw.next()).method).toBe("notifications/cancelled");
    expect((await raw.next()).id).toBe(1);
    expect(raw.related.slice(-3)).toEqual([1, 1, undefined]);
  });

  it("happens when the connection closes, for notifications too (I19)", async () => {
    const signals: AbortSignal[] = [];
    const never = new Promise<never>(() => {});
    const wait = (_params: never, { signal }: ServerContext): Promise<never> => {
      signals.push(signal);
      return never;
    };
    const server = new TinyServer({ "text/work": wait, "notifications/typing": wait });
    const raw = await rawClientOf(server);
    raw.ask(1, "text/work");
    raw.tell("notifications/typing");
    raw.receiver.closed();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(signals[0]!.reason).toMatchObject({ code: "CONNECTION_CLOSED" });
    await settled();
    expect(server.errors).toEqual([]);
  });
});

describe("cancellation by the caller", () => {
  it("notifies the peer and rejects with the signal's reason (CANC-01, CANC-02)", async () => {
    const client = new TinyClient();
    const raw = await rawServerOf(client);
    const controller = new AbortController();
    const pending = client.request("text/work", {}, { signal: controller.signal });
    const { id } = await raw.next();
    controller.abort("user pressed escape");
    await expect(pending).rejects.toBe("user pressed escape");
    expect(await raw.next()).toEqual({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: id, reason: "user pressed escape" },
    });
    raw.answer(id, {});
    controller.abort();
    expect(await raw.rest()).toEqual([]);
    expect(client.errors).toEqual([]);
  });

  it("does not expose an error of the caller to the peer", async () => {
    const client = new TinyClient();
    const raw = await rawServerOf(client);
    const controller = new AbortController();
    const pending = client.request("text/work", {}, { signal: controller.signal });
    const { id } = await raw.next();
    const reason = new Error("password is hunter2");
    controller.abort(reason);
    await expect(pending).rejects.toBe(reason);
    expect((await raw.next()).params).toEqual({ requestId: id });
  });

  it("does not expose the end of another connection to the peer", async () => {
    const client = new TinyClient();
    const raw = await rawServerOf(client);
    const controller = new AbortController();
    client.request("text/work", {}, { signal: controller.signal }).catch(() => {});
    await raw.next();
    controller.abort(new ConnectionClosedError("The server /home/me/x exited; it wrote: secret"));
    expect((await raw.next()).params).toEqual({ requestId: expect.anything() });
  });

  it("ignores later changes of the options", async () => {
    const client = new TinyClient();
    const raw = await rawServerOf(client);
    const controller = new AbortController();
    const options = { signal: controller.signal };
    const pending = client.request("text/work", {}, options);
    options.signal = new AbortController().signal;
    raw.answer((await raw.next()).id, {});
    await pending;
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  it("sends nothing for an aborted signal", async () => {
    const client = new TinyClient();
    const raw = await rawServerOf(client);
    const signal = AbortSignal.abort(new Error("too late"));
    await expect(client.request("ping", {}, { signal })).rejects.toThrow("too late");
    expect(await raw.rest()).toEqual([]);
  });

  it("sends nothing after the response, and leaves no listener on the signal (I09)", async () => {
    const client = new TinyClient();
    const raw = await rawServerOf(client);
    const controller = new AbortController();
    const pending = client.request("ping", {}, { signal: controller.signal });
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(1);
    raw.answer((await raw.next()).id, {});
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    controller.abort();
    await expect(pending).resolves.toEqual({});
    expect(await raw.rest()).toEqual([]);
  });

  it("needs one listener for requests that share a signal", async () => {
    const client = new TinyClient();
    const raw = await rawServerOf(client);
    const controller = new AbortController();
    const { signal } = controller;
    const pending = [1, 2, 3].map(() => client.request("ping", {}, { signal }));
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    raw.answer((await raw.next()).id, { first: true });
    await pending[0];
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    controller.abort("all of you");
    await expect(pending[1]).rejects.toBe("all of you");
    await expect(pending[2]).rejects.toBe("all of you");
    expect(getEventListeners(signal, "abort")).toEqual([]);
    expect((await raw.rest()).map(({ method }) => method)).toEqual([
      "ping",
      "ping",
      "notifications/cancelled",
      "notifications/cancelled",
    ]);
  });

  it("never cancels the handshake, but closes the connection (LIFE-13, CANC-03)", async () => {
    const { RawPeer } = await import("./support/raw-peer.js");
    const client = new TinyClient();
    const raw = new RawPeer();
    const controller = new AbortController();
    const connected = client.connect(raw, { signal: controller.signal });
    await raw.next();
    controller.abort(new Error("never mind"));
    await expect(connected).rejects.toThrow("never mind");
    expect(await raw.rest()).toEqual([]);
    expect(raw.isClosed).toBe(true);
  });

  it("cancels no request for a task by notification (CANC-04)", async () => {
    const client = new TinyClient();
    const raw = await rawServerOf(client);
    const controller = new AbortController();
    const options = { signal: controller.signal };
    const pending = client.request("text/work", { task: { ttl: 1 } }, options);
    await raw.next();
    controller.abort(new Error("enough"));
    await expect(pending).rejects.toThrow("enough");
    expect(await raw.rest()).toEqual([]);
  });
});
