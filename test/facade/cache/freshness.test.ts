import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { revision as handshake } from "../../../generated/2025-11-25/index.js";
import { markSingleUse } from "../../../runtime/api/index.js";
import { Cached, list } from "./support/cached.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

describe("a repeated request", () => {
  it("is answered from the cache while the result is fresh (CACHE-05)", async () => {
    const cached = new Cached(() => list(1000));
    const first = await cached.ask("tools/list");
    vi.advanceTimersByTime(999);
    expect(await cached.ask("tools/list")).toEqual(first);
    vi.advanceTimersByTime(1);
    expect(await cached.ask("tools/list")).not.toEqual(first);
    expect(cached.asked).toHaveLength(2);
  });

  it.each([0, -5, undefined, "1000", Number.NaN])(
    "is stale at once with ttlMs %j (CACHE-05, CACHE-13)",
    async (ttlMs) => {
      const cached = new Cached(() => list(ttlMs));
      await cached.ask("tools/list");
      await cached.ask("tools/list");
      expect(cached.asked).toHaveLength(2);
    },
  );

  it("is cached for at most an hour instead of 10^12 ms, or for the configured time (A15)", async () => {
    const [hour, second] = [
      new Cached(() => list(1e12)),
      new Cached(() => list(1e12), { maxTtl: 1000 }),
    ];
    for (const cached of [hour, second]) await cached.ask("tools/list");
    vi.advanceTimersByTime(1000);
    for (const cached of [hour, second]) await cached.ask("tools/list");
    expect([hour.asked.length, second.asked.length]).toEqual([1, 2]);
    vi.advanceTimersByTime(3_600_000);
    await hour.ask("tools/list");
    expect(hour.asked).toHaveLength(2);
  });

  it("is sent again after the clock is set back", async () => {
    const cached = new Cached(() => list(1000));
    vi.setSystemTime(1_000_000);
    await cached.ask("tools/list");
    vi.setSystemTime(999_999);
    await cached.ask("tools/list");
    expect(cached.asked).toHaveLength(2);
  });

  it("has one result per method and parameters, whatever their order and _meta (CACHE-03)", async () => {
    const cached = new Cached(() => list(1000));
    await cached.ask("tools/list");
    await cached.ask("tools/list", {});
    await cached.ask("tools/list", { _meta: { progressToken: 1 } });
    await cached.ask("tools/list", { cursor: undefined });
    expect(cached.asked).toHaveLength(1);
    await cached.ask("tools/list", { cursor: "2" });
    await cached.ask("prompts/list");
    await cached.ask("resources/read", { uri: "a:", x: 1 });
    await cached.ask("resources/read", { x: 1, uri: "a:" });
    await cached.ask("resources/read", { uri: "b:" });
    expect(cached.asked).toHaveLength(5);
  });

  it("has a separate freshness for each page (CACHE-10)", async () => {
    const cached = new Cached((params) => list((params as { cursor?: string }).cursor ? 100 : 200));
    const pages = [{}, { cursor: "2" }];
    for (const page of pages) await cached.ask("tools/list", page);
    vi.advanceTimersByTime(100);
    for (const page of pages) await cached.ask("tools/list", page);
    expect(cached.asked.map(({ params }) => params)).toEqual([...pages, pages[1]]);
  });

  it("returns a copy each time, so that changes by one caller do not affect another", async () => {
    const cached = new Cached(() => list(1000));
    const first = await cached.ask("tools/list");
    first.tools.push("mine");
    const second = await cached.ask("tools/list");
    second.tools.push("mine");
    expect((await cached.ask("tools/list")).tools).toEqual([]);
  });

  it("is never answered with input requests from the cache (CACHE-02)", async () => {
    const cached = new Cached(() => list(1000, { resultType: "input_required" }));
    await cached.ask("resources/read", { uri: "a:" });
    await cached.ask("resources/read", { uri: "a:" });
    expect(cached.asked).toHaveLength(2);
  });

  it.each([
    ["answers", { inputResponses: {} }],
    ["state", { requestState: "s" }],
  ])("is never cached with %s (CACHE-04)", async (_, extra) => {
    const cached = new Cached(() => list(1000));
    await cached.ask("resources/read", { uri: "a:" });
    await cached.ask("resources/read", { uri: "a:", ...extra });
    await cached.ask("resources/read", { uri: "a:", ...extra });
    expect(cached.asked).toHaveLength(3);
  });

  it("is never cached if the result depends on the user's answers (CACHE-04)", async () => {
    const cached = new Cached(() => markSingleUse(list(1000)));
    await cached.ask("resources/read", { uri: "a:" });
    await cached.ask("resources/read", { uri: "a:" });
    expect(cached.asked).toHaveLength(2);
  });

  it("is never cached if the method or revision has no freshness (CACHE-01)", async () => {
    const [calls, old] = [
      new Cached(() => list(1000)),
      new Cached(() => list(1000), {}, handshake),
    ];
    for (let round = 0; round < 2; round += 1) {
      await calls.ask("tools/call", { name: "t" });
      await old.ask("tools/list");
    }
    expect([calls.asked.length, old.asked.length]).toEqual([2, 2]);
  });

  it("is never answered with a cached error", async () => {
    const cached = new Cached(() => {
      throw new Error("no");
    });
    for (let round = 1; round <= 2; round += 1) {
      await expect(cached.ask("tools/list")).rejects.toThrow("no");
      expect(cached.asked).toHaveLength(round);
    }
  });
});

describe("the option cache of a request", () => {
  it("no-store neither reads nor writes the cache", async () => {
    const cached = new Cached(() => list(1000));
    await cached.ask("tools/list", {}, { cache: "no-store" });
    const kept = await cached.ask("tools/list");
    expect(await cached.ask("tools/list", {}, { cache: "no-store" })).not.toEqual(kept);
    expect(await cached.ask("tools/list")).toEqual(kept);
  });

  it("reload sends the request and stores the result (CACHE-07)", async () => {
    const cached = new Cached(() => list(1000));
    await cached.ask("tools/list");
    const kept = await cached.ask("tools/list", {}, { cache: "reload" });
    expect(await cached.ask("tools/list")).toEqual(kept);
    expect(cached.asked).toHaveLength(2);
  });

  it("reload of a first page drops all pages (CACHE-11)", async () => {
    const cached = new Cached(() => list(1000));
    await cached.ask("tools/list");
    await cached.ask("tools/list", { cursor: "2" });
    await cached.ask("tools/list", {}, { cache: "reload" });
    await cached.ask("tools/list", { cursor: "2" });
    expect(cached.asked).toHaveLength(4);
  });
});
