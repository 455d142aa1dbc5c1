import { revision as handshake } from "@mcp-codegen/2025-11-25";
import { revision } from "@mcp-codegen/2026-07-28";
import { describe, expect, it, vi } from "vitest";
import { Logging, Resources, Tools } from "../../../runtime/features/index.js";
import { RawPeer, type Wire } from "../../engine/support/raw-peer.js";
import { envelope, META } from "./support/raw-client.js";
import { RevisionsServer } from "./support/servers.js";

const info = { name: "test", version: "1" };

/** Yields whole numbers from 0 up that look random but are the same each time. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state >>> 8;
  }
}

const requests: readonly [string, object][] = [
  ["server/discover", {}],
  ["tools/list", { cursor: "x" }],
  ["tools/call", { name: "t", arguments: { a: 1 } }],
  ["resources/read", { uri: "a:b" }],
  [
    "subscriptions/listen",
    { notifications: { toolsListChanged: true, resourceSubscriptions: ["a:b"] } },
  ],
  ["initialize", { protocolVersion: handshake.id, capabilities: {}, clientInfo: info }],
  ["ping", {}],
];

const junk: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  "",
  "__proto__",
  "\u0000\ud800",
  [],
  [[]],
  {},
  { toString: 1 },
  "x".repeat(10_000),
];

/** Returns a copy of a value with junk in some place. */
function spoiled(value: unknown, next: () => number): unknown {
  if (typeof value !== "object" || value === null || next() % 4 === 0)
    return junk[next() % junk.length];
  const entries = Object.entries(value);
  const at = next() % (entries.length + 1);
  const changed = entries.map(([key, one], index) => [
    key,
    index === at ? spoiled(one, next) : one,
  ]);
  if (at === entries.length)
    changed.push([
      ["__proto__", "constructor", "cursor", ""][next() % 4],
      junk[next() % junk.length],
    ]);
  return Array.isArray(value) ? changed.map(([, one]) => one) : Object.fromEntries(changed);
}

/** Returns the ids of the requests that have been answered or have opened a subscription. */
function settledIds({ received }: RawPeer): Set<unknown> {
  const ids = received.map(({ id, method, params }: Wire) =>
    method === "notifications/subscriptions/acknowledged" ? params["_meta"][META.subscription] : id,
  );
  return new Set(ids.filter((id) => id !== undefined));
}

describe("a server of both eras with random input", () => {
  it.each([1, 2, 3, 4])("answers every request once, and continues (seed %i)", async (seed) => {
    const tools = new Tools({ schemas: "unchecked" });
    tools.add({ name: "t", inputSchema: { type: "object" } }, () => ({ content: [] }));
    const resources = new Resources({ subscriptions: { unknown: true } });
    const features = [tools, resources, new Logging()];
    const limits = { subscriptions: 10_000 };
    const server = new RevisionsServer(
      [handshake, revision],
      info,
      {},
      { features, limits, onerror: () => {} },
    );
    const peer = new RawPeer();
    await server.connect(peer);
    await server.loadStateless();
    const source = numbers(seed);
    const next = (): number => source.next().value;
    const listens = new Set<number>();
    for (let id = 0; id < 1500; id++) {
      const [method, params] = requests[next() % requests.length]!;
      const whole = next() % 3 === 0 ? params : { ...params, _meta: envelope() };
      if (method === "subscriptions/listen") listens.add(id);
      peer.say({ jsonrpc: "2.0", id, method, params: spoiled(whole, next) });
      if (id % 50 === 0)
        tools.add({ name: `t${id}`, inputSchema: { type: "object" } }, () => ({ content: [] }));
    }
    await vi.waitUntil(() => settledIds(peer).size === 1500);
    await peer.rest();
    const answers = peer.received.filter((message) => message.method === undefined);
    const ids = answers.map((answer) => answer.id);
    expect(new Set(ids).size).toBe(ids.length);
    const open = peer.received
      .filter(({ method }) => method === "notifications/subscriptions/acknowledged")
      .map(({ params }: Wire) => params["_meta"][META.subscription]);
    expect(open.length).toBeGreaterThan(0);
    expect(open.every((id) => listens.has(id))).toBe(true);
    const { result } = await peer.call("last", "server/discover", { _meta: envelope() });
    expect(result.supportedVersions).toEqual([revision.id, handshake.id]);
    await server.close();
    const ended = peer.received.filter(
      ({ id, result: end }) => open.includes(id) && end !== undefined,
    );
    expect(ended).toHaveLength(open.length);
  });
});
