import { expect } from "vitest";
import type { Case, OursScene } from "../../case.js";
import { until } from "../../support/until.js";

let count = 0;
const fresh = (what: string): string => `${what} ${(count += 1)}`;

const ignore = (): void => {};

/** Progress, cancellation and timeouts. */
export const requestCases: readonly Case<OursScene>[] = [
  {
    name: "progress increases, is sent once, and ends with the response (PROG-03, PROG-04, PROG-05)",
    needs: ["tells"],
    run: async ({ call, knows }) => {
      const notifications: { progress: number; total?: number; message?: string }[] = [];
      const result = await call(
        "progress",
        { steps: 4 },
        { onprogress: (one) => void notifications.push(one) },
      );
      expect(result.content).toMatchObject([{ text: "done" }]);
      expect(notifications.map(({ progress }) => progress)).toEqual([1, 2, 3, 4]);
      const message = knows.progressMessages ? { message: "step 4" } : {};
      expect(notifications.at(-1)).toEqual({ progress: 4, total: 4, ...message });
    },
  },
  {
    name: "progress never decreases, wherever it arrives (PROG-04)",
    run: async ({ call }) => {
      const seen: number[] = [];
      const onprogress = ({ progress }: { progress: number }): void => void seen.push(progress);
      await call("progress", { steps: 4 }, { onprogress });
      expect([1, 2, 3, 4]).toEqual(expect.arrayContaining(seen));
      expect(seen).toEqual([...new Set(seen)].toSorted());
    },
  },
  {
    name: "progress is absent without a token (PROG-01)",
    run: async ({ call }) => {
      expect((await call("progress", { steps: 2 })).content).toMatchObject([{ text: "done" }]);
    },
  },
  {
    name: "an aborted signal stops the handler (CANC-01, CANC-02, CANC-05)",
    needs: ["sessions"],
    run: async ({ call, json }) => {
      const label = fresh("cancelled");
      const controller = new AbortController();
      const waiting = call("wait", { label }, { signal: controller.signal });
      waiting.catch(() => {});
      await until("the start", async () => (await json("witness", { label })).length === 1);
      controller.abort("enough");
      await expect(waiting).rejects.toBe("enough");
      await until("the abort", async () => (await json("witness", { label })).length === 2);
      expect(await json("witness", { label })).toEqual(["started", "aborted: REQUEST_CANCELLED"]);
    },
  },
  {
    name: "cancelling at any moment never breaks the connection (CANC-06, CANC-07)",
    needs: ["sessions"],
    run: async ({ call, client }) => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, async (_, index) => {
          const controller = new AbortController();
          const calling = call("echo", { value: index }, { signal: controller.signal });
          calling.catch(() => {});
          for (let turn = 0; turn < index; turn += 1) await Promise.resolve();
          if (index % 3 === 0) await client.ping();
          controller.abort(new Error("never mind"));
          return calling;
        }),
      );
      for (const outcome of outcomes) {
        if (outcome.status === "rejected") expect(String(outcome.reason)).toMatch(/never mind/);
      }
      expect(await client.ping()).toEqual({});
    },
  },
  {
    name: "a request with an aborted signal is not sent (CANC-02)",
    run: async ({ call }) => {
      const signal = AbortSignal.abort(new Error("too late"));
      await expect(call("echo", {}, { signal })).rejects.toThrow("too late");
    },
  },
  {
    name: "a request that takes too long is cancelled (LIFE-15, LIFE-16)",
    needs: ["sessions"],
    run: async ({ call, json }) => {
      const label = fresh("late");
      await expect(call("wait", { label }, { timeout: 50 })).rejects.toMatchObject({
        code: "REQUEST_TIMEOUT",
        timeout: 50,
      });
      await until("the abort", async () => (await json("witness", { label })).length === 2);
      expect(await json("witness", { label })).toEqual(["started", "aborted: REQUEST_CANCELLED"]);
    },
  },
  {
    name: "progress extends the timeout of a request, up to a maximum (LIFE-16, LIFE-17)",
    needs: ["sessions"],
    run: async ({ call, text, json }) => {
      const label = fresh("linger");
      const args = { label: fresh("linger"), ms: 1000, tells: true };
      const forever = { label, ms: 60_000, tells: true };
      const limits = { timeout: 700, maxTotalTimeout: 1000, onprogress: ignore };
      await Promise.all([
        expect(text("linger", args, { timeout: 700, onprogress: ignore })).resolves.toBe("done"),
        expect(call("linger", forever, limits)).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" }),
      ]);
      await until("the abort", async () => (await json("witness", { label })).length >= 2);
      expect(await json("witness", { label })).toContain("aborted: REQUEST_CANCELLED");
    },
  },
  {
    name: "cancelling a call cancels the requests of its handler (CANC-01, CANC-05)",
    needs: ["asks"],
    run: async ({ call, received }) => {
      const controller = new AbortController();
      const messages = [{ role: "user", content: { type: "text", text: "wait" } }];
      const args = { method: "sampling/createMessage", params: { messages, maxTokens: 1 } };
      const waiting = call("ask", args, { signal: controller.signal });
      waiting.catch(() => {});
      const isAsked = () =>
        received.some(({ params }) => JSON.stringify(params ?? null).includes('"wait"'));
      await until("the question", isAsked);
      controller.abort("enough");
      await expect(waiting).rejects.toBe("enough");
      await until("the abort", () => received.some(({ method }) => method === "aborted"));
    },
  },
  {
    name: "a server stops waiting for a client that does not respond (LIFE-16)",
    needs: ["asks"],
    run: async ({ json, received }) => {
      const before = received.filter(({ method }) => method === "aborted").length;
      const messages = [{ role: "user", content: { type: "text", text: "wait" } }];
      const params = { messages, maxTokens: 1 };
      const requested = await json("ask", {
        method: "sampling/createMessage",
        params,
        timeout: 50,
      });
      expect(requested.error).toMatchObject({ code: "REQUEST_TIMEOUT" });
      const aborted = () => received.filter(({ method }) => method === "aborted").length > before;
      await until("the abort", aborted);
    },
  },
  {
    name: "a stream that the server closes is resumed (POLL-02, POLL-03, POLL-04)",
    needs: ["tells"],
    run: async ({ text }) => {
      const seen: number[] = [];
      const onprogress = ({ progress }: { progress: number }): void => void seen.push(progress);
      expect(await text("release", {}, { onprogress })).toBe("done");
      expect(seen).toEqual([1, 2]);
    },
  },
];
