import { afterEach, describe, expect, it } from "vitest";
import { RpcError } from "../../runtime/wire/errors.js";
import { Resources } from "../../runtime/features/index.js";
import { Subscriptions } from "../../runtime/features/subscriptions.js";
import type { Session } from "../../runtime/api/handlers.js";
import { deferred } from "../engine/support/tiny-endpoints.js";
import { connect, connected, type Connected, handshakes, settled } from "./support/revisions.js";
import { isIn } from "../../runtime/ground/uri-index/index.js";

const text = (uri: string) => ({ contents: [{ uri, text: "text" }] });
const UPDATED = "notifications/resources/updated";

let pair: Connected | undefined;

afterEach(async () => {
  expect(pair?.traffic.problems ?? []).toEqual([]);
  await pair?.client.close();
  pair = undefined;
});

describe.each(handshakes)("subscriptions under %s", (_id, pinned) => {
  it("notifies subscribers of a change once per turn until they unsubscribe (RES-07)", async () => {
    const resources = new Resources({ subscriptions: {} });
    resources.add({ uri: "test://a", name: "a" }, text);
    resources.add({ uri: "test://b", name: "b" }, text);
    pair = await connected(pinned, { features: [resources] });
    const { client, traffic } = pair;
    expect(client.server!.capabilities.resources).toEqual({ listChanged: true, subscribe: true });
    expect(await client.request("resources/subscribe", { uri: "test://a" })).toEqual({});
    expect(await client.request("resources/subscribe", { uri: "test://a" })).toEqual({});
    resources.updated("test://a");
    resources.updated("test://a");
    resources.updated("test://b");
    await settled();
    expect(traffic.notified(UPDATED)).toEqual([{ uri: "test://a" }]);
    expect(await client.request("resources/unsubscribe", { uri: "test://a" })).toEqual({});
    expect(await client.request("resources/unsubscribe", { uri: "test://a" })).toEqual({});
    resources.updated("test://a");
    await settled();
    expect(traffic.notified(UPDATED)).toHaveLength(1);
  });

  it("notifies subscribers of a parent (RES-08)", async () => {
    const resources = new Resources({ subscriptions: {} });
    resources.add({ uri: "file:///project/src/a.ts", name: "a" }, text);
    pair = await connected(pinned, { features: [resources] });
    const { client, traffic } = pair;
    await client.request("resources/subscribe", { uri: "file:///project" });
    await client.request("resources/subscribe", { uri: "file:///project/src/" });
    resources.updated("file:///project/src/a.ts");
    resources.updated("file:///project2/src/a.ts");
    await settled();
    expect(traffic.notified(UPDATED)).toEqual([{ uri: "file:///project/src/a.ts" }]);
  });

  it("refuses a missing resource unless an option allows it (RES-10)", async () => {
    const code = pinned.revision.errorCodes["RESOURCE_NOT_FOUND"];
    const strict = new Resources({ subscriptions: {} });
    strict.addTemplate({ uriTemplate: "test://family/{x}", name: "x" }, text);
    pair = await connected(pinned, { features: [strict] });
    const uri = "test://other";
    const refused = pair.client.request("resources/subscribe", { uri });
    await expect(refused).rejects.toMatchObject({ code, data: { uri } });
    await pair.client.request("resources/subscribe", { uri: "test://family/1" });
    await pair.client.close();

    const lenient = new Resources({ subscriptions: { unknown: true } });
    pair = await connected(pinned, { features: [lenient] });
    await pair.client.request("resources/subscribe", { uri });
    lenient.updated(uri);
    await settled();
    expect(pair.traffic.notified(UPDATED)).toEqual([{ uri }]);
  });

  it("calls the author's function first (RES-16)", async () => {
    const resources = new Resources({
      subscriptions: {
        unknown: true,
        onsubscribe: async (uri) => {
          if (uri === "test://secret") throw new RpcError(4711, "Not for you");
        },
      },
    });
    pair = await connected(pinned, { features: [resources] });
    const refused = pair.client.request("resources/subscribe", { uri: "test://secret" });
    await expect(refused).rejects.toMatchObject({ code: 4711 });
    await pair.client.request("resources/subscribe", { uri: "test://open" });
    resources.updated("test://secret");
    resources.updated("test://open");
    await settled();
    expect(pair.traffic.notified(UPDATED)).toEqual([{ uri: "test://open" }]);
  });

  it("limits the length of a subscribed URI (SEC-22)", async () => {
    const resources = new Resources({ subscriptions: { unknown: true }, maxUriLength: 20 });
    pair = await connected(pinned, { features: [resources] });
    const uri = `test://${"a".repeat(20)}`;
    await expect(pair.client.request("resources/subscribe", { uri })).rejects.toMatchObject({
      code: -32602,
      message: "Invalid params: /uri: expected at most 20 characters, received 27",
    });
    await pair.client.request("resources/subscribe", { uri: "test://short" });
  });

  it("does not subscribe a client that cancels while the author's function runs (CANC-05)", async () => {
    const { promise, resolve } = deferred<void>();
    const resources = new Resources({ subscriptions: { onsubscribe: () => promise } });
    resources.add({ uri: "test://a", name: "a" }, text);
    pair = await connected(pinned, { features: [resources] });
    const { client, traffic } = pair;
    const controller = new AbortController();
    const requested = client.request(
      "resources/subscribe",
      { uri: "test://a" },
      { signal: controller.signal },
    );
    await settled();
    controller.abort("changed my mind");
    await expect(requested).rejects.toBe("changed my mind");
    resolve();
    await settled();
    resources.updated("test://a");
    await settled();
    expect(traffic.notified(UPDATED)).toEqual([]);
  });

  it("limits the subscriptions of a session (SEC-22)", async () => {
    const resources = new Resources({ subscriptions: { unknown: true, limit: 2 } });
    pair = await connected(pinned, { features: [resources] });
    const subscribe = (uri: string) => pair!.client.request("resources/subscribe", { uri });
    await subscribe("test://1");
    await subscribe("test://2");
    await subscribe("test://2");
    await expect(subscribe("test://3")).rejects.toMatchObject({ code: -32603 });
    await pair.client.request("resources/unsubscribe", { uri: "test://1" });
    await subscribe("test://3");
  });

  it("keeps sessions separate, and removes those that close", async () => {
    const watched: string[] = [];
    const resources = new Resources({
      subscriptions: {
        unknown: true,
        watch: (uri) => {
          watched.push(`+${uri}`);
          return () => void watched.push(`-${uri}`);
        },
      },
    });
    const info = { name: "test", version: "1" };
    const server = new pinned.Server(info, {}, { features: [resources] });
    const clients = [0, 1, 2].map(() => new pinned.Client(info, {}, {}));
    const traffic = await Promise.all(
      clients.map((client) => connect(pinned.revision, client, server.fork())),
    );
    const [a, b, c] = clients as [(typeof clients)[0] & object, never, never];
    await a!.request("resources/subscribe", { uri: "test://x" });
    await (b as typeof a)!.request("resources/subscribe", { uri: "test://x" });
    await (c as typeof a)!.request("resources/subscribe", { uri: "test://y" });
    expect(watched).toEqual(["+test://x", "+test://y"]);
    resources.updated("test://x");
    await settled();
    expect(traffic.map((one) => one.notified(UPDATED).length)).toEqual([1, 1, 0]);
    await a!.close();
    await settled();
    expect(watched).toHaveLength(2);
    await Promise.all(clients.map((client) => client.close()));
    await settled();
    expect(watched.slice(2).toSorted()).toEqual(["-test://x", "-test://y"]);
    for (const one of traffic) expect(one.problems).toEqual([]);
  });

  it("withholds changes if a rule throws, and decides without the parameters of the subscription", async () => {
    const errors: Error[] = [];
    const seen: unknown[] = [];
    const resources = new Resources({ subscriptions: {} });
    const sessions: unknown[] = [];
    resources.add({ uri: "test://a", name: "a" }, text).restrict({
      visible: ({ method, params, session }) => {
        if (method !== undefined) return true;
        seen.push(params);
        sessions.push(session);
        if (sessions.length === 1) throw new Error("broken rule");
        return true;
      },
    });
    const info = { name: "test", version: "1" };
    const onerror = (error: Error) => void errors.push(error);
    const server = new pinned.Server(info, {}, { features: [resources], onerror });
    const clients = [0, 1].map(() => new pinned.Client(info, {}, {}));
    const traffic = await Promise.all(
      clients.map((client) => connect(pinned.revision, client, server.fork())),
    );
    for (const client of clients) {
      await client.request("resources/subscribe", { uri: "test://a", _meta: { "x/y": "large" } });
    }
    resources.updated("test://a");
    await settled();
    expect(traffic.map((one) => one.notified(UPDATED).length)).toEqual([0, 1]);
    expect(errors.map(({ message }) => message)).toEqual(["broken rule"]);
    expect(seen).toEqual([undefined, undefined]);
    expect(new Set(sessions).size).toBe(2);
    await Promise.all(clients.map((client) => client.close()));
    for (const one of traffic) expect(one.problems).toEqual([]);
  });

  it("withholds changes from those who subscribed before there was a rule", async () => {
    const resources = new Resources({ subscriptions: {} });
    const registered = resources.add({ uri: "test://a", name: "a" }, text);
    resources.add({ uri: "test://b", name: "b" }, text);
    pair = await connected(pinned, { features: [resources] });
    for (const uri of ["test://a", "test://b"])
      await pair.client.request("resources/subscribe", { uri });
    registered.restrict({ visible: ({ auth }) => auth?.principal === "owner" });
    resources.updated("test://a");
    resources.updated("test://b");
    await settled();
    expect(pair.traffic.notified(UPDATED)).toEqual([{ uri: "test://b" }]);
  });
});

const sessionOf = (closed: Promise<undefined>): Session => ({ closed }) as unknown as Session;

const ROOMY = { limit: 100, maxCharacters: 2_000_000, maxTotalCharacters: 2_000_000 };

describe("Subscriptions", () => {
  it("store a limited number of characters per subscriber and in total (SEC-22)", () => {
    const bounds = { limit: 100, maxCharacters: 10, maxTotalCharacters: 15 };
    const subscriptions = new Subscriptions(bounds);
    const [one, other] = [1, 2].map(() => sessionOf(new Promise(() => {})));
    expect(subscriptions.add(one!, "a:234567")).toBe(undefined);
    expect(subscriptions.add(one!, "a:234567")).toBe(undefined);
    expect(subscriptions.add(one!, "b:3")).toContain("10 characters");
    expect(subscriptions.add(other!, "a:234567")).toContain("no room");
    expect(subscriptions.add(other!, "c:34567")).toBe(undefined);
    subscriptions.delete(one!, "a:234567");
    expect(subscriptions.add(one!, "a:23456789")).toContain("no room");
    subscriptions.forget(other!);
    expect(subscriptions.add(one!, "a:23456789")).toBe(undefined);
  });

  it("finds parents of each kind, and no others", () => {
    const subscriptions = new Subscriptions(ROOMY);
    const session = sessionOf(new Promise(() => {}));
    const finds = (subscribed: string, updated: string): boolean => {
      subscriptions.add(session, subscribed);
      const found = subscriptions.subscribersOf(updated).has(session);
      subscriptions.delete(session, subscribed);
      expect(isIn(updated, subscribed) || updated === subscribed).toBe(found);
      return found;
    };
    expect(finds("a:b", "a:b")).toBe(true);
    expect(finds("a:b", "a:b/c")).toBe(true);
    expect(finds("a:b/", "a:b/c")).toBe(true);
    expect(finds("a:b/", "a:b/c/d")).toBe(true);
    expect(finds("a:b", "a:b?c")).toBe(true);
    expect(finds("a:b", "a:b#c")).toBe(true);
    expect(finds("a:b?c", "a:b?c#d")).toBe(true);
    expect(finds("a:b/c", "a:b")).toBe(false);
    expect(finds("a:b", "a:bc")).toBe(false);
    expect(finds("a:b/", "a:b")).toBe(false);
    expect(finds("a:b?c", "a:b?d")).toBe(false);
  });

  it("does not search a URI of a megabyte for parents", () => {
    const subscriptions = new Subscriptions(ROOMY);
    const session = sessionOf(new Promise(() => {}));
    subscriptions.add(session, "a:b");
    expect(subscriptions.subscribersOf(`a:b${"/".repeat(1_000_000)}`).has(session)).toBe(true);
  });

  it("removes a session that has closed", async () => {
    const gone: string[] = [];
    const subscriptions = new Subscriptions(ROOMY, (uri) => () => void gone.push(uri));
    subscriptions.add(sessionOf(Promise.resolve(undefined)), "a:b");
    await settled();
    expect(gone).toEqual(["a:b"]);
    expect(subscriptions.subscribersOf("a:b").size).toBe(0);
  });
});
