import { describe, expect, it } from "vitest";
import {
  formatEventId,
  parseEventId,
} from "../../../runtime/http/server/streams/server-sent-events.js";
import {
  MemoryEventStore,
  type MemoryEventStoreOptions,
} from "../../../runtime/http/server/sharing/index.js";

function filled(options: MemoryEventStoreOptions, count: number, data = "x"): MemoryEventStore {
  const store = new MemoryEventStore(options);
  for (let index = 1; index <= count; index++) store.append("s", "a", { index, data });
  return store;
}

const indices = (store: MemoryEventStore, after: number, stream = "a", session = "s") =>
  store.after(session, stream, after)?.map(({ index }) => index);

describe("MemoryEventStore", () => {
  it("returns the events after a position in a stream, in order (RSM-02, RSM-05)", () => {
    const store = filled({}, 4);
    expect(indices(store, 0)).toEqual([1, 2, 3, 4]);
    expect(indices(store, 2)).toEqual([3, 4]);
    expect(indices(store, 4)).toEqual([]);
  });

  it("returns no events of other streams, other sessions or the future (H15, RSM-06)", () => {
    const store = filled({}, 2);
    store.append("s", "b", { index: 1, data: "b" });
    expect(indices(store, 1, "b")).toEqual([]);
    expect(indices(store, 2, "b")).toBeUndefined();
    expect(indices(store, 0, "c")).toBeUndefined();
    expect(indices(store, 0, "a", "other")).toBeUndefined();
    expect(indices(store, 3)).toBeUndefined();
  });

  it("reports that the oldest events of a stream are gone", () => {
    const store = filled({ maxEventsPerStream: 3 }, 5);
    expect(indices(store, 1)).toBeUndefined();
    expect(indices(store, 2)).toEqual([3, 4, 5]);
  });

  it("has a limit per session and in total (SEC-22)", () => {
    const data = "x".repeat(1000);
    const bySession = filled({ maxBytesPerSession: 10_000 }, 100, data);
    expect(bySession.size).toBeLessThanOrEqual(10_000);
    expect(indices(bySession, 99)).toEqual([100]);
    const store = new MemoryEventStore({ maxBytes: 10_000 });
    for (let count = 0; count < 100; count++) store.append(`s${count}`, "a", { index: 1, data });
    expect(store.size).toBeLessThanOrEqual(10_000);
    expect(indices(store, 0, "a", "s99")).toEqual([1]);
    expect(indices(store, 0, "a", "s0")).toBeUndefined();
    expect(indices(store, 1, "a", "s0")).toEqual([]);
  });

  it("keeps the streams with the latest events", () => {
    const store = new MemoryEventStore({ maxStreamsPerSession: 2 });
    store.append("s", "long", { index: 1, data: "1" });
    store.append("s", "short", { index: 1, data: "1" });
    store.append("s", "long", { index: 2, data: "2" });
    store.append("s", "new", { index: 1, data: "1" });
    expect(store.after("s", "long", 1)).toMatchObject([{ index: 2 }]);
    expect(store.after("s", "short", 1)).toBeUndefined();
  });

  it("keeps the newest streams of a session, up to a limit", () => {
    const store = new MemoryEventStore({ maxStreamsPerSession: 2 });
    for (const stream of ["a", "b", "c"]) store.append("s", stream, { index: 1, data: "x" });
    expect(["a", "b", "c"].map((stream) => indices(store, 0, stream))).toEqual([
      undefined,
      [1],
      [1],
    ]);
  });

  it("drops events that are too old", async () => {
    const store = filled({ ttl: 5 }, 3);
    await new Promise((resolve) => setTimeout(resolve, 20));
    store.append("s", "a", { index: 4, data: "x" });
    expect(indices(store, 0)).toBeUndefined();
    expect(indices(store, 3)).toEqual([4]);
  });

  it("returns events that may be dropped a moment later", () => {
    const store = filled({ maxEventsPerStream: 2 }, 2);
    const events = store.after("s", "a", 0);
    for (const index of [3, 4]) store.append("s", "a", { index, data: "y" });
    expect(events).toEqual([1, 2].map((index) => ({ index, data: "x" })));
  });

  it("knows its size while sessions start and end", () => {
    const one = filled({}, 1).size;
    const store = new MemoryEventStore({ maxBytes: 100 * one, maxStreamsPerSession: 20 });
    const names = Array.from({ length: 1000 }, (_, turn) => [`s${turn % 7}`, `t${turn}`] as const);
    for (const [turn, [session, stream]] of names.entries()) {
      store.append(session, stream, { index: 1, data: "x" });
      if (turn % 50 === 0) store.drop(`s${turn % 3}`);
    }
    const left = names.flatMap(([session, stream]) => indices(store, 0, stream, session) ?? []);
    expect(left.length).toBeGreaterThan(50);
    expect(store.size).toBe(left.length * one);
    for (const [session] of names) store.drop(session);
    expect(store.size).toBe(0);
  });

  it("drops a session that has ended", () => {
    const store = filled({}, 10);
    store.drop("s");
    store.drop("unknown");
    expect(store.size).toBe(0);
    expect(indices(store, 5)).toBeUndefined();
  });
});

describe("event ids (RSM-03)", () => {
  it("name their stream and position", () => {
    for (const index of [1, 35, 36, 1e12]) {
      const id = formatEventId("0a1b2c3", index);
      expect(id).toMatch(/^[0-9a-z_]+$/);
      expect(parseEventId(id)).toEqual({ stream: "0a1b2c3", index });
    }
  });

  it.each([
    "",
    "_",
    "a_",
    "_1",
    "a_01",
    "a_-1",
    "a_1.5",
    "a_1\n",
    "A_1",
    "a_1_1",
    `a_${"z".repeat(10)}`,
  ])("are rejected: %j", (text) => expect(parseEventId(text)).toBeUndefined());

  it("can stand for the beginning of a stream", () => {
    expect(parseEventId("a_0")).toEqual({ stream: "a", index: 0 });
  });
});
