import { describe, expect, it } from "vitest";
import type { FeatureHost } from "../../../runtime/api/feature.js";
import { MemoryResponseStore, ResponseCache } from "../../../runtime/facade/cache/index.js";
import { Cached, list } from "./support/cached.js";

const server = "https://mcp.example.com/";

/**
 * Sends a request first as one client and then as the other, and returns the number of requests that reached the
 * server.
 */
async function askedBy(one: Cached, other: Cached): Promise<number> {
  await one.ask("tools/list");
  await other.ask("tools/list");
  return one.asked.length + other.asked.length;
}

const of = (scope: string) => () => list(60_000, { cacheScope: scope });

describe("caches that share a store", () => {
  it.each(["private", "nonsense", undefined])(
    "keep results of scope %j apart, whatever else they share (CACHE-08, A15)",
    async (scope) => {
      const shared = { store: new MemoryResponseStore(), server, trustPublic: true };
      const results = () => list(60_000, { cacheScope: scope });
      const [alice, bob] = ["alice", "bob"].map(
        (partition) => new Cached(results, { ...shared, partition }),
      );
      expect(await askedBy(alice!, bob!)).toBe(2);
      expect(await askedBy(new Cached(results, shared), new Cached(results, shared))).toBe(2);
    },
  );

  it("share private results of one partition (CACHE-08)", async () => {
    const shared = { store: new MemoryResponseStore(), server, partition: "alice" };
    expect(
      await askedBy(new Cached(of("private"), shared), new Cached(of("private"), shared)),
    ).toBe(1);
  });

  it("accept a public result only if configured to (A15)", async () => {
    const believing = { store: new MemoryResponseStore(), server, trustPublic: true };
    const doubting = { store: new MemoryResponseStore(), server };
    expect(
      await askedBy(new Cached(of("public"), believing), new Cached(of("public"), believing)),
    ).toBe(1);
    expect(
      await askedBy(new Cached(of("public"), doubting), new Cached(of("public"), doubting)),
    ).toBe(2);
    const doubter = new Cached(of("public"), { ...believing, trustPublic: false });
    expect(await askedBy(doubter, new Cached(of("public"), believing))).toBe(1);
  });

  it("keep servers apart", async () => {
    const shared = { store: new MemoryResponseStore(), trustPublic: true };
    const here = new Cached(of("public"), { ...shared, server });
    const there = new Cached(of("public"), { ...shared, server: "https://other.example.com/" });
    expect(await askedBy(here, there)).toBe(2);
    here.cache.clear();
    await there.ask("tools/list");
    expect(there.asked).toHaveLength(1);
  });

  it("follow the partition of a connection as it changes (CACHE-08)", async () => {
    let account = "alice";
    const cached = new Cached(of("private"), { partition: () => account });
    await cached.ask("tools/list");
    account = "bob";
    await cached.ask("tools/list");
    account = "alice";
    await cached.ask("tools/list");
    expect(cached.asked).toHaveLength(2);
  });

  it("require the identity of the server, and serve one client each", () => {
    expect(() => new ResponseCache({ store: new MemoryResponseStore() })).toThrow(/"server"/);
    const cache = new ResponseCache();
    cache.attach({} as FeatureHost);
    expect(() => cache.attach({} as FeatureHost)).toThrow(/share a store/);
  });
});

const ask = (cached: Cached, from: number, to: number): Promise<unknown>[] =>
  Array.from({ length: to - from }, (_, n) =>
    cached.ask("resources/read", { uri: `a:${from + n}` }),
  );

describe("a store", () => {
  it("drops the least recently used results when it is full", async () => {
    const store = new MemoryResponseStore({ maxEntries: 10 });
    const cached = new Cached(of("private"), { store, server });
    await Promise.all(ask(cached, 0, 10));
    await Promise.all(ask(cached, 0, 1));
    await Promise.all(ask(cached, 10, 11));
    expect(store.size).toBe(10);
    cached.asked.length = 0;
    await Promise.all(ask(cached, 0, 2));
    expect(cached.asked.map(({ params }) => params)).toEqual([{ uri: "a:1" }]);
  });

  it("stays within its memory limit, and refuses a result that would exceed it alone", async () => {
    const store = new MemoryResponseStore({ maxBytes: 10_000 });
    const cached = new Cached(() => list(60_000, { text: "x".repeat(1000) }), { store, server });
    await Promise.all(ask(cached, 0, 100));
    expect(store.size).toBeGreaterThan(0);
    expect(store.size).toBeLessThan(5);
    cached.answer = () => list(60_000, { text: "x".repeat(5000) });
    const before = store.size;
    await Promise.all(ask(cached, 100, 101));
    expect(store.size).toBe(before);
  });
});
