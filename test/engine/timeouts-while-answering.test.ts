import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { deferred, rawServerOf, TinyClient } from "./support/tiny-endpoints.js";

describe("while a client answers a request of the server (LIFE-16)", () => {
  // Loads code that a connection needs before it pings, because fake timers do not wait for it.
  beforeAll(() => import("../../runtime/engine/connect/keep-alive.js"));
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("the timeouts of its own requests are suspended, and then start again", async () => {
    const answer = deferred<{ answer: string }>();
    const client = new TinyClient({ "user/ask": () => answer.promise });
    const raw = await rawServerOf(client);
    let outcome: unknown;
    const call = client.request("text/work", {}, { timeout: 100 });
    call.catch((error: unknown) => (outcome = error));
    await raw.next();
    raw.ask("q", "user/ask", {});
    await vi.advanceTimersByTimeAsync(1950);
    answer.resolve({ answer: "yes" });
    expect(await raw.next()).toMatchObject({ id: "q", result: { answer: "yes" } });
    await vi.advanceTimersByTimeAsync(40);
    expect(outcome).toBeUndefined();
    await vi.advanceTimersByTimeAsync(100);
    expect(outcome).toMatchObject({ code: "REQUEST_TIMEOUT", method: "text/work" });
  });

  it("it accepts a response that arrives meanwhile", async () => {
    const answer = deferred<{ answer: string }>();
    const client = new TinyClient({ "user/ask": () => answer.promise });
    const raw = await rawServerOf(client);
    const call = client.request("text/work", {}, { timeout: 100 });
    const { id } = await raw.next();
    raw.ask("q", "user/ask", {});
    await vi.advanceTimersByTimeAsync(5000);
    raw.answer(id, {});
    expect(await call).toEqual({});
    answer.resolve({ answer: "late" });
  });

  it("it waits no longer than the maximum", async () => {
    const client = new TinyClient({ "user/ask": () => new Promise(() => {}) });
    const raw = await rawServerOf(client);
    const call = client.request("text/work", {}, { timeout: 100, maxTotalTimeout: 350 });
    const rejected = expect(call).rejects.toMatchObject({ timeout: 350 });
    await raw.next();
    raw.ask("q", "user/ask", {});
    await vi.advanceTimersByTimeAsync(350);
    await rejected;
    await client.close();
  });

  it("other requests of the handler, and unrelated ones, keep their timeouts", async () => {
    const failures: unknown[] = [];
    const client = new TinyClient({
      "user/ask": async (_params, context) => {
        const asking = context.request("text/work", {}, { timeout: 100 });
        await asking.catch((error: unknown) => failures.push(error));
        return { answer: "without" };
      },
    });
    const raw = await rawServerOf(client);
    raw.ask("q", "user/ask", {});
    client.request("ping", {}, { timeout: 0 }).catch((error: unknown) => failures.push(error));
    await vi.advanceTimersByTimeAsync(0);
    expect(failures).toMatchObject([{ method: "ping" }]);
    await vi.advanceTimersByTimeAsync(100);
    expect(failures[1]).toMatchObject({ code: "REQUEST_TIMEOUT", timeout: 100 });
  });

  it("pings of the connection keep their timeout", async () => {
    const options = { keepAlive: { interval: 20, timeout: 40 } };
    const client = new TinyClient({ "user/ask": () => new Promise(() => {}) }, options);
    const raw = await rawServerOf(client);
    raw.ask("q", "user/ask", {});
    await vi.advanceTimersByTimeAsync(100);
    expect(raw.isClosed).toBe(true);
  });
});
