import { setImmediate as turn } from "node:timers/promises";
import { revision as handshake } from "@mcp-codegen/2025-11-25";
import { revision } from "@mcp-codegen/2026-07-28";
import { describe, expect, it, vi } from "vitest";
import { MemoryBus } from "../../../runtime/api/bus.js";
import { RpcError } from "../../../runtime/wire/errors.js";
import { Resources, Tools } from "../../../runtime/features/index.js";
import type { HandlerContext } from "../../../runtime/api/handlers.js";
import { RawPeer } from "../../engine/support/raw-peer.js";
import { envelope } from "./support/raw-client.js";
import { RevisionsServer } from "./support/servers.js";

const info = { name: "test", version: "1" };
const modern = (params: object = {}): object => ({ ...params, _meta: envelope() });

async function serve(features: readonly object[], options: object = {}) {
  const errors: Error[] = [];
  const onerror = (error: Error): unknown => errors.push(error);
  const all = { features, onerror, ...options } as object;
  const server = new RevisionsServer([handshake, revision], info, {}, all);
  const peer = new RawPeer();
  await server.connect(peer);
  await server.loadStateless();
  return { server, peer, errors };
}

function tools(): Tools {
  const some = new Tools({ schemas: "unchecked" });
  some.add({ name: "t", inputSchema: { type: "object" } }, () => ({ content: [] }));
  return some;
}

describe("messages of a bus", () => {
  /** Notifications that concern no resource. */
  const updates: readonly object[] = [
    { method: "notifications/resources/updated" },
    { method: "notifications/resources/updated", params: { uri: 1 } },
  ];

  it.each([
    undefined,
    null,
    1,
    [],
    {},
    { method: 1 },
    { method: "constructor" },
    { method: "toString", params: {} },
    { method: "__proto__" },
    { method: "notifications/resources/updated", params: null },
    { method: "notifications/tools/list_changed", params: 1 },
    { method: "notifications/cancelled", params: { requestId: 1 } },
    { method: "notifications/progress", params: { progressToken: 1, progress: 1 } },
    { method: "notifications/subscriptions/acknowledged", params: { notifications: {} } },
    { method: "notifications/initialized" },
    { method: "tools/list" },
    ...updates,
  ])("are dropped if they are not change notifications of the server: %j", async (event) => {
    const bus = new MemoryBus();
    const resources = new Resources({ subscriptions: { unknown: true } });
    const { peer, errors } = await serve([tools(), resources], { bus });
    peer.ask(0, "initialize", {
      protocolVersion: handshake.id,
      capabilities: {},
      clientInfo: info,
    });
    peer.tell("notifications/initialized");
    const notifications = { toolsListChanged: true, resourceSubscriptions: ["a:b"] };
    peer.ask(1, "subscriptions/listen", modern({ notifications }));
    const acknowledged = "notifications/subscriptions/acknowledged";
    await vi.waitUntil(() => peer.received.some(({ method }) => method === acknowledged));
    const before = peer.received.length;
    bus.publish(event as never);
    await turn();
    expect(peer.received.length).toBe(before);
    const reported = errors.map(({ message }) => message);
    const isUpdate = updates.includes(event as object);
    expect(reported).toEqual(isUpdate ? [] : [expect.stringContaining("The bus has delivered")]);
    bus.publish({ method: "notifications/tools/list_changed" });
    await turn();
    expect(peer.received.length).toBe(before + 2);
  });
});

describe("a bus that outlives a server", () => {
  it("is unsubscribed with the last connection, and subscribed again with the next (T6)", async () => {
    let listeners = 0;
    const bus = new MemoryBus();
    const { subscribe } = bus;
    bus.subscribe = (listener) => {
      const stop = subscribe.call(bus, listener);
      listeners += 1;
      return () => {
        listeners -= 1;
        stop();
      };
    };
    const { server } = await serve([tools()], { bus });
    const other = server.fork();
    await other.connect(new RawPeer());
    expect(listeners).toBe(1);
    await other.close();
    await turn();
    expect(listeners).toBe(1);
    await server.close();
    await turn();
    expect(listeners).toBe(0);
    const peer = new RawPeer();
    await server.fork().connect(peer);
    expect(listeners).toBe(1);
    peer.ask(1, "subscriptions/listen", modern({ notifications: { toolsListChanged: true } }));
    await peer.next();
    bus.publish({ method: "notifications/tools/list_changed" });
    expect((await peer.next()).method).toBe("notifications/tools/list_changed");
  });
});

describe("lists that are returned repeatedly", () => {
  const changes: readonly [string, (result: { tools: unknown[] }) => void][] = [
    ["replaces", (result) => (result.tools = [])],
    ["adds to", (result) => Object.assign(result, { _meta: { of: "one" } })],
    ["shortens", ({ tools: all }) => all.pop()],
    ["changes an item in", ({ tools: all }) => Object.assign(all[0]!, { title: "of one" })],
    [
      "changes a nested member of",
      ({ tools: all }) => Object.assign((all[0] as { inputSchema: object }).inputSchema, { of: 1 }),
    ],
  ];
  it.each(changes)("stay the same for others if middleware %s one", async (_, change) => {
    let isChanged = true;
    const meddle = async (_call: unknown, next: () => Promise<never>): Promise<unknown> => {
      const result = await next();
      if (isChanged) change(result);
      return result;
    };
    const { peer, errors } = await serve([tools()], { middleware: [meddle] });
    peer.ask(1, "tools/list", modern());
    expect((await peer.next()).error.code).toBe(-32603);
    expect(errors.length).toBe(1);
    isChanged = false;
    peer.ask(2, "tools/list", modern());
    const { result } = await peer.next();
    expect(result.tools.map(({ name }: { name: string }) => name)).toEqual(["t"]);
    expect(JSON.stringify(result)).not.toContain('"of"');
  });
});

describe("requests that share a connection", () => {
  it("have their own session object each, which ends with the response (STATE-01)", async () => {
    const over: string[] = [];
    const some = tools();
    some.add({ name: "per", inputSchema: { type: "object" } }, (_args, context) => {
      const { session, id } = context as HandlerContext;
      void session.closed.then((error) => over.push(`${id} ${error}`));
      return { content: [] };
    });
    const { peer } = await serve([some]);
    peer.ask("a", "tools/call", modern({ name: "per", arguments: {} }));
    peer.ask("b", "tools/call", modern({ name: "per", arguments: {} }));
    await turn();
    expect(over).toEqual(["a undefined", "b undefined"]);
    expect(peer.isClosed).toBe(false);
  });
});

describe("a very large subscription", () => {
  it("is not read to its end, even if nothing in it is accepted (LIST-03)", async () => {
    let looked = 0;
    const onsubscribe = (): void => {
      looked += 1;
      throw new RpcError(-32602, "not this one");
    };
    const resources = new Resources({ subscriptions: { unknown: true, onsubscribe } });
    const { peer } = await serve([resources]);
    const uris = Array.from({ length: 50_000 }, (_, index) => `a:${index}`);
    peer.ask(1, "subscriptions/listen", modern({ notifications: { resourceSubscriptions: uris } }));
    expect((await peer.next()).params.notifications).toEqual({});
    expect(looked).toBe(1000);
  });
});
