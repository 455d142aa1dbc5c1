import { describe, expect, it } from "vitest";
import { MemoryBus } from "@mcp-codegen/runtime";
import {
  busCases,
  eventCases,
  mailCases,
  type MakeStore,
  memoryStores,
  redeemCases,
  sessionCases,
  streamCases,
  taskCases,
} from "@mcp-codegen/testing/stores";
import { MemoryTaskStore } from "@mcp-codegen/runtime/tasks";
import { MemoryEventStore } from "../../../runtime/http/server/sharing/index.js";

/** Shares one store, because the instances of a test are in one process. */
function oneFor<Store, Options>(make: (options?: Options) => Store): MakeStore<Store, Options> {
  let made: Store | undefined;
  return (options) => (made ??= make(options));
}

function redeemer(): (id: string) => boolean {
  const used = new Set<string>();
  return (id) => used.size < used.add(id).size;
}

describe("stores in memory", () => {
  describe("bus", () => {
    it.each(busCases)("$name", ({ run }) => run(oneFor(() => new MemoryBus())));
  });
  describe("redeem", () => {
    it.each(redeemCases)("$name", ({ run }) => run(oneFor(redeemer)));
  });
  describe("tasks", () => {
    it.each(taskCases)("$name", ({ run }) =>
      run(oneFor((options) => new MemoryTaskStore(options))),
    );
  });
  describe("events", () => {
    it.each(eventCases)("$name", ({ run }) => run(oneFor(() => new MemoryEventStore())));
  });
  describe("sessions, streams and mail", () => {
    it.each([...sessionCases, ...streamCases, ...mailCases])("$name", ({ run }) =>
      run(oneFor((options) => memoryStores(options))),
    );
  });
});

describe("the cases", () => {
  it("find a store that loses data", async () => {
    const forgetful = { append: () => {}, after: () => [], drop: () => {} };
    await expect(eventCases[0]!.run(() => forgetful)).rejects.toThrow("events after the second");
  });
});
