import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { revision as handshake } from "../../../generated/2025-11-25/index.js";
import { markSingleUse } from "../../../runtime/engine/single-use.js";
import { Cached, list } from "./support/cached.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

describe("a result that is asked for again", () => {
  it("CACHE-05: comes from the cache as long as it is fresh", async () => {
    const cached = new Cached(() => list(1000));
    const first = await cached.ask("tools/list");
    vi.advanceTimersByTime(999);
    expect(await cached.ask("tools/list")).toEqual(first);
    vi.advanceTimersByTime(1);
    expect(await cached.ask("tools/list")).not.toEqual(first);
    expect(cached.asked).toHaveLength(2);
  });

  it.each([0, -5, undefined, "1000", Number.NaN])(
    "CACHE-05, CACHE-13: is stale at once with ttlMs %j",
    async (ttlMs) => {
      const cached = new Cached(() => list(ttlMs));
      await cached.ask("tools/list");
      await cached.ask("tools/list");
      expect(cached.asked).toHaveLength(2);
    },
  );

  it("A15: is not kept for 10^12 ms, but for an hour, or what the user says", async () => {
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

  it("is asked for anew when the clock was set back", async () => {
    const cached = new Cached(() => list(1000));
    vi.setSystemTime(1_000_000);
    await cached.ask("tools/list");
    vi.setSystemTime(999_999);
    await cached.ask("tools/list");
    expect(cached.asked).toHaveLength(2);
  });

  it("CACHE-03: is one per method and parameters, whatever their order and _meta", async () => {
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

  it("CACHE-10: is fresh for as long as its own page is", async () => {
    const cached = new Cached((params) => list((params as { cursor?: string }).cursor ? 100 : 200));
    const pages = [{}, { cursor: "2" }];
    for (const page of pages) await cached.ask("tools/list", page);
    vi.advanceTimersByTime(100);
    for (const page of pages) await cached.ask("tools/list", page);
    expect(cached.asked.map(({ params }) => params)).toEqual([...pages, pages[1]]);
  });

  it("is a copy each time: what one caller does to it, no other sees", async () => {
    const cached = new Cached(() => list(1000));
    const first = await cached.ask("tools/list");
    first.tools.push("mine");
    const second = await cached.ask("tools/list");
    second.tools.push("mine");
    expect((await cached.ask("tools/list")).tools).toEqual([]);
  });

  it("CACHE-02: is never one with questions", async () => {
    const cached = new Cached(() => list(1000, { resultType: "input_required" }));
    await cached.ask("resources/read", { uri: "a:" });
    await cached.ask("resources/read", { uri: "a:" });
    expect(cached.asked).toHaveLength(2);
  });

  it.each([
    ["answers", { inputResponses: {} }],
    ["state", { requestState: "s" }],
  ])("CACHE-04: is never one of a request with %s, nor given to it", async (_, extra) => {
    const cached = new Cached(() => list(1000));
    await cached.ask("resources/read", { uri: "a:" });
    await cached.ask("resources/read", { uri: "a:", ...extra });
    await cached.ask("resources/read", { uri: "a:", ...extra });
    expect(cached.asked).toHaveLength(3);
  });

  it("CACHE-04: is never one that answers went into underway", async () => {
    const cached = new Cached(() => markSingleUse(list(1000)));
    await cached.ask("resources/read", { uri: "a:" });
    await cached.ask("resources/read", { uri: "a:" });
    expect(cached.asked).toHaveLength(2);
  });

  it("CACHE-01: is never one of a method, or a revision, that has no freshness", async () => {
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

  it("is never an error", async () => {
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
  it("no-store: neither takes nor leaves anything", async () => {
    const cached = new Cached(() => list(1000));
    await cached.ask("tools/list", {}, { cache: "no-store" });
    const kept = await cached.ask("tools/list");
    expect(await cached.ask("tools/list", {}, { cache: "no-store" })).not.toEqual(kept);
    expect(await cached.ask("tools/list")).toEqual(kept);
  });

  it("CACHE-07: reload: asks, and keeps what comes", async () => {
    const cached = new Cached(() => list(1000));
    await cached.ask("tools/list");
    const kept = await cached.ask("tools/list", {}, { cache: "reload" });
    expect(await cached.ask("tools/list")).toEqual(kept);
    expect(cached.asked).toHaveLength(2);
  });

  it("CACHE-11: reload of a first page lets go of all pages", async () => {
    const cached = new Cached(() => list(1000));
    await cached.ask("tools/list");
    await cached.ask("tools/list", { cursor: "2" });
    await cached.ask("tools/list", {}, { cache: "reload" });
    await cached.ask("tools/list", { cursor: "2" });
    expect(cached.asked).toHaveLength(4);
  });
});
