import { expect, it } from "vitest";
import { createHttpHandler } from "../../runtime/http/server/index.js";
import { MemoryEventStore } from "../../runtime/http/server/sharing/index.js";
import { memoryStores } from "@mcp-codegen/testing/stores";
import { MemoryBus } from "../../runtime/index.js";
import { storeMetrics } from "../../runtime/opentelemetry/index.js";
import { MemoryTaskStore } from "../../runtime/tasks/index.js";
import { EventReader, RawClient, tool } from "../http/server/serve.js";
import { ToyServer } from "../http/server/toy-server.js";
import { Meters } from "./meters.js";

const NAME = "mcp_codegen.store.operation.duration";

const recorded = (meters: Meters) =>
  meters
    .named(NAME)
    .map(({ attributes }) => [
      attributes["mcp_codegen.store.name"],
      attributes["mcp_codegen.store.operation"],
      attributes["error.type"],
    ]);

it("every operation of every store is measured, and has the same effect", async () => {
  const meters = new Meters();
  const redeemed = new Set<string>();
  const all = {
    ...memoryStores(),
    events: new MemoryEventStore(),
    bus: new MemoryBus(),
    tasks: new MemoryTaskStore(),
    redeem: async (id: string) => !redeemed.has(id) && Boolean(redeemed.add(id)),
  };
  const stores = storeMetrics(all, { meterProvider: meters.provider });
  expect(Object.keys(stores).toSorted()).toEqual(Object.keys(all).toSorted());

  await stores.sessions.create("s", { revision: "r", opening: "{}" });
  expect(await stores.sessions.use("s")).toMatchObject({ version: 0 });
  await stores.streams.open("s", "x");
  expect(await stores.streams.append("s", "x", { index: 1, data: "d" })).toBe(true);
  expect(await stores.mail.isAlive("i")).toBe(false);
  expect(stores.events.append("s", "x", { index: 1, data: "d" })).toBe(undefined);
  expect(stores.events.after("s", "x", 0)).toEqual([{ index: 1, data: "d" }]);
  expect(stores.events.size).toBeGreaterThan(0);
  const received: string[] = [];
  stores.bus.subscribe(({ method }) => void received.push(method));
  stores.bus.publish({ method: "m" });
  expect(received).toEqual(["m"]);
  expect(await stores.tasks.get("t")).toBe(undefined);
  expect([await stores.redeem("a"), await stores.redeem("a")]).toEqual([true, false]);

  expect(recorded(meters)).toEqual([
    ["sessions", "create", undefined],
    ["sessions", "use", undefined],
    ["streams", "open", undefined],
    ["streams", "append", undefined],
    ["mail", "isAlive", undefined],
    ["events", "append", undefined],
    ["events", "after", undefined],
    ["bus", "subscribe", undefined],
    ["bus", "publish", undefined],
    ["tasks", "get", undefined],
    ["redeem", "redeem", undefined],
    ["redeem", "redeem", undefined],
  ]);
  expect(meters.options.get(NAME)).toMatchObject({ unit: "s" });
});

it("a thrown or rejected error of a store is passed on, and its kind is recorded", async () => {
  const meters = new Meters();
  const stores = storeMetrics(
    {
      late: { get: () => Promise.reject(new RangeError("secret")) },
      early: {
        get(): void {
          throw new TypeError("secret");
        },
      },
      absent: undefined as object | undefined,
      isShared: true,
    },
    { meterProvider: meters.provider },
  );
  await expect(stores.late.get()).rejects.toThrow(RangeError);
  expect(() => stores.early.get()).toThrow(TypeError);
  expect([stores.absent, stores.isShared]).toEqual([undefined, true]);
  expect(recorded(meters)).toEqual([
    ["late", "get", "RangeError"],
    ["early", "get", "TypeError"],
  ]);
  expect(JSON.stringify(meters.all)).not.toContain("secret");
});

it("stores behind getters of a class are measured, too", async () => {
  const meters = new Meters();
  class Stores {
    readonly #kept = new MemoryEventStore();
    get events(): MemoryEventStore {
      return this.#kept;
    }
    async redeem(): Promise<boolean> {
      return this.#kept.size === 0;
    }
  }
  const stores = storeMetrics(Object.freeze(new Stores()), { meterProvider: meters.provider });
  expect(await stores.redeem()).toBe(true);
  stores.events.drop("s");
  expect(recorded(meters)).toEqual([
    ["redeem", "redeem", undefined],
    ["events", "drop", undefined],
  ]);
});

it("an HTTP handler works with a measured event store", async () => {
  const meters = new Meters();
  const { events } = storeMetrics(
    { events: new MemoryEventStore() },
    { meterProvider: meters.provider },
  );
  const handler = createHttpHandler(new ToyServer().server, { eventStore: events });
  const client = new RawClient({
    name: "web",
    url: "",
    handler,
    fetch: (init) => handler(new Request("http://localhost/mcp", init)),
  });
  await client.initialize("2025-11-25");
  const reader = new EventReader(await client.post(tool(1, "log", { count: 2 })));
  expect((await reader.rest()).filter(({ data }) => data)).toHaveLength(3);
  await handler.close(0);
  expect(new Set(recorded(meters).map(([, operation]) => operation))).toEqual(
    new Set(["append", "drop"]),
  );
});
