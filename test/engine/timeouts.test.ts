import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { settled } from "./support/raw-peer.js";
import { rawClientOf, rawServerOf, TinyClient, TinyServer } from "./support/tiny-endpoints.js";

const cancelled = (id: unknown): object => ({
  method: "notifications/cancelled",
  params: { requestId: id, reason: expect.stringContaining("no response") },
});

describe("timeouts", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("reject, cancel at the peer, and ignore a late response (LIFE-16, CANC-07)", async () => {
    const client = new TinyClient();
    const raw = await rawServerOf(client);
    const pending = client.request("text/work", {}, { timeout: 500 });
    const { id } = await raw.next();
    vi.advanceTimersByTime(499);
    expect(await raw.rest()).toEqual([]);
    vi.advanceTimersByTime(1);
    await expect(pending).rejects.toMatchObject({
      code: "REQUEST_TIMEOUT",
      method: "text/work",
      timeout: 500,
    });
    expect(await raw.next()).toMatchObject(cancelled(id));
    raw.answer(id, {});
    raw.tell("notifications/progress", { progressToken: id, progress: 1 });
    expect(client.errors).toEqual([]);
  });

  it("are 60 s by default, and can be set for all requests", async () => {
    const patient = new TinyClient();
    const hasty = new TinyClient({}, { timeout: 10 });
    await rawServerOf(patient);
    await rawServerOf(hasty);
    const states: string[] = [];
    void patient.request("ping").catch(() => states.push("patient"));
    void hasty.request("ping").catch(() => states.push("hasty"));
    await vi.advanceTimersByTimeAsync(10);
    expect(states).toEqual(["hasty"]);
    await vi.advanceTimersByTimeAsync(59_989);
    expect(states).toEqual(["hasty"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(states).toEqual(["hasty", "patient"]);
  });

  it("start again with progress, up to the maximum (LIFE-17)", async () => {
    const client = new TinyClient();
    const raw = await rawServerOf(client);
    const progress = vi.fn();
    const options = { timeout: 100, maxTotalTimeout: 250, onprogress: progress };
    const pending = client.request("text/work", undefined, options);
    const { id, params } = await raw.next();
    const token = params["_meta"].progressToken;
    for (const time of [80, 160, 240]) {
      vi.advanceTimersByTime(80);
      raw.tell("notifications/progress", { progressToken: token, progress: time });
    }
    expect(progress).toHaveBeenCalledTimes(3);
    expect(await raw.rest()).toEqual([]);
    vi.advanceTimersByTime(10);
    await expect(pending).rejects.toMatchObject({ code: "REQUEST_TIMEOUT", timeout: 250 });
    expect(await raw.next()).toMatchObject(cancelled(id));
  });

  it("do not start again with progress if an option says so", async () => {
    const client = new TinyClient();
    const raw = await rawServerOf(client);
    const options = { timeout: 100, resetTimeoutOnProgress: false, onprogress: () => {} };
    const pending = client.request("text/work", {}, options);
    const { id } = await raw.next();
    vi.advanceTimersByTime(80);
    raw.tell("notifications/progress", { progressToken: id, progress: 1 });
    vi.advanceTimersByTime(20);
    await expect(pending).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
  });

  it("reject many requests, each at its time, in any order", async () => {
    const client = new TinyClient();
    await rawServerOf(client);
    const ended: number[] = [];
    for (const timeout of [300, 100, 200, 100, 400]) {
      void client.request("ping", {}, { timeout }).catch(() => ended.push(timeout));
    }
    for (const time of [100, 200, 300, 400]) {
      await vi.advanceTimersByTimeAsync(100);
      expect(Math.max(...ended)).toBe(time);
    }
    expect(ended).toHaveLength(5);
  });

  it("are clamped to a sensible range (P09)", async () => {
    const client = new TinyClient();
    await rawServerOf(client);
    const ended: string[] = [];
    const request = (name: string, timeout: number): void => {
      void client.request("ping", {}, { timeout }).catch(() => ended.push(name));
    };
    request("negative", -5);
    request("NaN", Number.NaN);
    request("huge", 2 ** 40);
    request("infinite", Infinity);
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toEqual(["negative"]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ended).toEqual(["negative", "NaN"]);
    await vi.advanceTimersByTimeAsync(2 ** 32);
    expect(ended).toEqual(["negative", "NaN"]);
  });

  it("leave no timer if no request is pending and the connection is closed", async () => {
    const client = new TinyClient();
    const raw = await rawServerOf(client);
    const pending = client.request("ping");
    raw.answer((await raw.next()).id, {});
    await pending;
    await client.close();
    await settled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("can abort the signal of a handler (I15)", async () => {
    let reason: unknown;
    const work = (_params: never, { signal }: { signal: AbortSignal }): Promise<never> =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          reason = signal.reason;
          reject(signal.reason);
        });
      });
    const server = new TinyServer({ "text/work": work }, { handlerTimeout: 50 });
    const raw = await rawClientOf(server);
    raw.ask(1, "text/work");
    vi.advanceTimersByTime(50);
    expect(await raw.next()).toMatchObject({ id: 1, error: { code: -32603 } });
    expect(reason).toMatchObject({ code: "REQUEST_TIMEOUT" });
    expect(await raw.rest()).toEqual([]);
    expect(server.errors).toMatchObject([{ code: "HANDLER" }]);
  });
});
