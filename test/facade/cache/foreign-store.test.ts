import { describe, expect, it } from "vitest";
import { revision as older } from "../../../generated/2025-11-25/index.js";
import { revision } from "../../../generated/2026-07-28/index.js";
import type { FeatureHost } from "../../../runtime/api/feature.js";
import {
  type CacheEntry,
  type CacheKey,
  type CacheSelection,
  isSelected,
  type ResponseStore,
} from "../../../runtime/facade/cache/index.js";
import { Cached, list, sessionOf } from "./support/cached.js";

const server = "https://mcp.example.com/";

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** A store that seems to be behind a network: it holds plain JSON, and every operation takes a while. */
class DistantStore implements ResponseStore {
  readonly entries = new Map<string, string>();
  isDown = false;

  async get(key: CacheKey): Promise<CacheEntry | undefined> {
    await this.#reached();
    const text = this.entries.get(JSON.stringify(key));
    return text === undefined ? undefined : (JSON.parse(text) as CacheEntry);
  }

  async set(key: CacheKey, entry: CacheEntry): Promise<void> {
    await this.#reached();
    this.entries.set(JSON.stringify(key), JSON.stringify(entry));
  }

  async drop(selection: CacheSelection): Promise<void> {
    await this.#reached();
    for (const name of this.entries.keys()) {
      if (isSelected(JSON.parse(name) as CacheKey, selection)) this.entries.delete(name);
    }
  }

  async #reached(): Promise<void> {
    await soon();
    if (this.isDown) throw new Error("out of reach");
  }
}

const listed = (): object => list(60_000);

function sharing(store: ResponseStore): [Cached, Cached] {
  const options = { store, server, partition: "alice" };
  return [new Cached(listed, options), new Cached(listed, options)];
}

describe("a custom cache store that responds asynchronously", () => {
  it("serves caches of several processes", async () => {
    const [one, other] = sharing(new DistantStore());
    const first = await one.ask("tools/list");
    await soon().then(soon);
    expect(await other.ask("tools/list")).toEqual(first);
    expect(other.asked).toEqual([]);
  });

  it("is read only after it has dropped the changed results", async () => {
    const [one] = sharing(new DistantStore());
    const first = await one.ask("tools/list");
    await soon().then(soon);
    one.cache.notified("notifications/tools/list_changed", {});
    expect(await one.ask("tools/list")).not.toEqual(first);
    await soon().then(soon);
    await one.ask("tools/list");
    expect(one.asked).toHaveLength(2);
  });

  it("does not fail requests if it is unavailable or returns invalid results", async () => {
    const store = new DistantStore();
    const [one] = sharing(store);
    const reported: Error[] = [];
    const report = (error: Error): void => void reported.push(error);
    const host = { revisions: [revision], report } as unknown as FeatureHost;
    const cached = new Cached(() => list(60_000), { store, server }, revision, host);
    store.isDown = true;
    expect(await cached.ask("tools/list")).toHaveProperty("tools");
    await soon().then(soon);
    expect(reported.map(({ message }) => message)).toEqual(["out of reach", "out of reach"]);
    store.isDown = false;
    await one.ask("tools/list");
    await soon().then(soon);
    for (const name of store.entries.keys()) {
      store.entries.set(name, JSON.stringify({ text: "{", received: 0, expires: 1e15 }));
    }
    await one.ask("tools/list");
    expect(one.asked).toHaveLength(2);
  });

  it("does not share the results of clients without a partition", async () => {
    const store = new DistantStore();
    const options = { store, server };
    const [one, other] = [1, 2].map(() => new Cached(() => list(60_000), options));
    await one!.ask("tools/list");
    await soon().then(soon);
    await other!.ask("tools/list");
    expect(other!.asked).toHaveLength(1);
    const [owner] = [...store.entries.keys()].map((name) => (JSON.parse(name) as CacheKey).owner);
    expect(owner, "names of one process are none of another").toMatch(/^#.{16,}/);
  });
});

const noTools = (): object => ({ tools: [] });

describe("defaultTtl", () => {
  const both = { revisions: [revision, older], report: () => {} } as unknown as FeatureHost;

  it("caches the results of servers that send no freshness, in sessions, too", async () => {
    for (const [spoken, given] of [
      [older, noTools],
      [revision, () => ({ ...noTools(), resultType: "complete" })],
    ] as const) {
      const cached = new Cached(given, { defaultTtl: 60_000 }, spoken, both);
      cached.session = sessionOf(spoken);
      await cached.ask("tools/list");
      await cached.ask("tools/list");
      expect(cached.asked).toHaveLength(1);
      cached.cache.notified("notifications/tools/list_changed", {});
      await cached.ask("tools/list");
      expect(cached.asked).toHaveLength(2);
    }
  });

  it("has no effect by default, and applies only to results that can be cached", async () => {
    const without = new Cached(noTools, {}, older, both);
    await without.ask("tools/list");
    await without.ask("tools/list");
    expect(without.asked).toHaveLength(2);
    const given = new Cached(noTools, { defaultTtl: 60_000 }, older, both);
    await given.ask("tools/call", { name: "x" });
    await given.ask("tools/call", { name: "x" });
    expect(given.asked).toHaveLength(2);
  });
});
