import { describe, expect, it } from "vitest";
import { memoryPair } from "../../runtime/memory/memory-pair.js";
import type { Receiver } from "../../runtime/wire/messages/transport.js";
import { settled } from "../engine/support/raw-peer.js";

function receiver(log: unknown[]): Receiver {
  return {
    message: (value) => log.push(value),
    malformed: ({ code }) => log.push(code),
    failed: (id) => log.push(id),
    ended: () => log.push("ended"),
    closed: () => log.push("closed"),
  };
}

const message = (method: string, params?: unknown) =>
  ({ jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) }) as const;

describe("memoryPair", () => {
  it("carries copies of wire values, without what JSON cannot express", async () => {
    const [near, far] = memoryPair();
    const log: unknown[] = [];
    await far.start(receiver(log));
    const params = { kept: [1], dropped: undefined, date: new Date(0) };
    void near.send(message("a", params));
    expect(log).toEqual([]);
    await settled();
    const wire = { kept: [1], date: "1970-01-01T00:00:00.000Z" };
    expect(log).toEqual([{ jsonrpc: "2.0", method: "a", params: wire }]);
    expect((log[0] as { params: { kept: unknown } }).params.kept).not.toBe(params.kept);
  });

  it("keeps the order, also of messages before the start", async () => {
    const [near, far] = memoryPair();
    const log: unknown[] = [];
    void near.send(message("1"));
    void near.send(message("2"));
    await far.start(receiver(log));
    void near.send(message("3"));
    await settled();
    expect(log.map((one) => (one as { method: string }).method)).toEqual(["1", "2", "3"]);
  });

  it("accepts one connection at each end", async () => {
    const [near] = memoryPair();
    await near.start(receiver([]));
    expect(() => near.start(receiver([]))).toThrow("used before");
  });

  it("throws for values that are not JSON, and sends nothing", async () => {
    const [near, far] = memoryPair();
    const log: unknown[] = [];
    await far.start(receiver(log));
    expect(() => near.send(message("a", 1n))).toThrow(TypeError);
    await settled();
    expect(log).toEqual([]);
  });

  it("delivers earlier messages before it closes, and reports the end once", async () => {
    const [near, far] = memoryPair();
    const logs: [unknown[], unknown[]] = [[], []];
    await near.start(receiver(logs[0]));
    await far.start(receiver(logs[1]));
    void near.send(message("last"));
    await near.close();
    await near.close();
    void near.send(message("too late"));
    void far.send(message("too late"));
    await far.close();
    await settled();
    expect(logs[1]).toEqual([message("last"), "closed"]);
  });
});
