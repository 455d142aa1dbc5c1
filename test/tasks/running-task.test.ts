import { expect, it, vi } from "vitest";
import { LifecycleError } from "../../runtime/wire/errors.js";
import { revision } from "@mcp-codegen/2025-11-25";
import type { HandlerContext, Session } from "../../runtime/api/handlers.js";
import type { StoredTask } from "../../runtime/tasks/index.js";
import { RunningTask } from "../../runtime/tasks/running-task.js";

function running(): RunningTask {
  const now = new Date().toISOString();
  const stored: StoredTask = {
    version: 0,
    owner: "ada",
    task: { taskId: "1", status: "working", createdAt: now, lastUpdatedAt: now, ttl: 60_000 },
  };
  const host = {
    lease: undefined,
    change: async () => stored,
    abort: () => {},
    ended: () => {},
    expired: () => {},
  };
  return new RunningTask(stored, host, { meta: undefined, session: { revision } as Session });
}

/** Creates a request for the result, on a stream that answers as given. */
function stream(request: () => Promise<unknown>): HandlerContext {
  return { signal: new AbortController().signal, request } as unknown as HandlerContext;
}

it("a stream without a client is skipped for the next one", async () => {
  const task = running();
  const dead = vi.fn(() => Promise.reject(new LifecycleError("no way to ask")));
  const alive = vi.fn(() => Promise.resolve({ answer: 42 }));
  void task.streams.serve(stream(dead));
  const asking = task.request("user/ask", {});
  await vi.waitUntil(() => dead.mock.calls.length === 1, { timeout: 20_000 });
  void task.streams.serve(stream(alive));
  await expect(asking).resolves.toEqual({ answer: 42 });
  expect(dead).toHaveBeenCalledTimes(1);
});

it("an error of the peer is the response, on any stream", async () => {
  const task = running();
  void task.streams.serve(stream(() => Promise.reject(new Error("no"))));
  await expect(task.request("user/ask", {})).rejects.toThrow("no");
});

it("a cancelled request waits for no stream", async () => {
  const task = running();
  const controller = new AbortController();
  const asking = task.request("user/ask", {}, { signal: controller.signal });
  controller.abort(new Error("changed my mind"));
  await expect(asking).rejects.toThrow("changed my mind");
});

it("after the end, no stream waits and no request is sent", async () => {
  const task = running();
  const request = vi.fn(() => new Promise(() => {}));
  const served = task.streams.serve(stream(request));
  await task.finish("completed", { result: {} });
  await served;
  await task.streams.serve(stream(request));
  await expect(task.request("user/ask", {})).rejects.toThrow("ended");
  expect(request).not.toHaveBeenCalled();
});
