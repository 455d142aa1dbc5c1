import type { CallToolResult, CreateTaskResult, Handlers } from "@mcp-codegen/2025-11-25";
import { describe, expect, expectTypeOf, it, onTestFinished, vi } from "vitest";
import { RpcError } from "../../runtime/wire/errors.js";
import { followTask, requestAsTask } from "../../runtime/tasks/request-as-task.js";
import type { Task } from "../../runtime/tasks/task.js";
import { Tasks } from "../../runtime/tasks/tasks.js";
import { deferred } from "../engine/support/tiny-endpoints.js";
import { connected, type Setting } from "./support/connected.js";
import * as validators from "@mcp-codegen/2025-11-25/validators";

const done: CallToolResult = { content: [{ type: "text", text: "done" }] };
const accepts = validators.CallToolResult;

type Call = NonNullable<Handlers["tools/call"]>;

const later: Call = async () => {
  await new Promise((resolve) => setTimeout(resolve, 50));
  return done;
};

const isNothing = (value: unknown): value is never => value === "nothing";

const connectedTo = (call: Call, setting: Setting = {}) =>
  connected({
    handlers: { "tools/call": call },
    features: [new Tasks({ pollInterval: 10 })],
    ...setting,
  });

describe("a task of the peer", () => {
  it("is polled until its end, then its result is fetched (TASK-17)", async () => {
    const { client, traffic } = await connectedTo(later);
    const created = (await client.callTool({ name: "work", task: {} })) as CreateTaskResult;
    const statuses: string[] = [];
    const result = await followTask(client, created, {
      accepts,
      onstatus: ({ status }) => statuses.push(status),
    });
    expectTypeOf(result).toEqualTypeOf<CallToolResult>();
    expect(result).toMatchObject(done);
    expect(statuses).toEqual(["working", "completed"]);
    expect(traffic.of("tasks/result")).toHaveLength(1);
    expect(traffic.wrong).toEqual([]);
  });

  it("is polled at the interval that the peer requests (TASK-17)", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let looks = 0;
    const task: Task = {
      taskId: "1",
      status: "working",
      createdAt: "",
      lastUpdatedAt: "",
      ttl: null,
      pollInterval: 50,
    };
    const request = async (method: string): Promise<unknown> => {
      looks += 1;
      return method === "tasks/get" && looks < 4 ? task : { ...task, status: "completed" };
    };
    const result = followTask({ request }, { task });
    await vi.advanceTimersByTimeAsync(49);
    expect(looks).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(looks).toBe(1);
    await vi.advanceTimersByTimeAsync(149);
    expect(looks).toBe(3);
    await vi.advanceTimersByTimeAsync(1);
    await result;
    expect(looks).toBe(5);
  });

  it("has its result fetched when it needs input, and its requests arrive with it (TASK-15)", async () => {
    const { client } = await connectedTo(
      async (_params, { request }) => {
        const { roots } = await request("roots/list");
        return { content: [{ type: "text", text: String(roots.length) }] };
      },
      { clientHandlers: { "roots/list": () => ({ roots: [] }) } },
    );
    const result = await requestAsTask(client, "tools/call", { name: "work" }, { accepts });
    expect(result.content).toEqual([{ type: "text", text: "0" }]);
  });

  it("fails like its request (TASK-10)", async () => {
    const { client } = await connectedTo(() => {
      throw new RpcError(4711, "no");
    });
    await expect(requestAsTask(client, "tools/call", { name: "work" })).rejects.toMatchObject({
      code: 4711,
    });
  });

  it("is refused with a result of another type", async () => {
    const { client } = await connectedTo(() => done);
    await expect(
      requestAsTask(client, "tools/call", { name: "work" }, { accepts: isNothing }),
    ).rejects.toMatchObject({ code: "INVALID_MESSAGE" });
  });

  it("is cancelled by its id, and by nothing else, when aborted (TASK-12, CANC-04)", async () => {
    const aborted = deferred<void>();
    const { client, traffic } = await connectedTo((_params, { signal }) => {
      signal.addEventListener("abort", () => aborted.resolve());
      return new Promise(() => {});
    });
    const controller = new AbortController();
    const { signal } = controller;
    const pending = requestAsTask(client, "tools/call", { name: "work" }, { signal });
    pending.catch(() => {});
    await vi.waitUntil(() => traffic.of("tasks/get").length > 0, { timeout: 20_000 });
    controller.abort("enough");
    await expect(pending).rejects.toBe("enough");
    await aborted.promise;
    expect(traffic.of("tasks/cancel")).toHaveLength(1);
    expect(traffic.messages.filter(({ method }) => method === "tools/call")).toHaveLength(1);
    const cancelled = traffic.of("notifications/cancelled").map(({ requestId }) => requestId);
    const call = traffic.messages.find(({ method }) => method === "tools/call")!;
    expect(cancelled).not.toContain(call.id);
  });

  it("is cancelled as soon as its id is known if aborted before (CANC-04)", async () => {
    const { client, traffic } = await connectedTo(() => new Promise(() => {}));
    const controller = new AbortController();
    const { signal } = controller;
    const request = client.request.bind(client) as (...call: unknown[]) => Promise<unknown>;
    const peer = {
      request(method: string, ...rest: unknown[]): Promise<unknown> {
        const answer = request(method, ...rest);
        if (method === "tools/call") controller.abort("changed my mind");
        return answer;
      },
    };
    const pending = requestAsTask(peer, "tools/call", { name: "work" }, { signal });
    await expect(pending).rejects.toBe("changed my mind");
    await vi.waitUntil(() => traffic.of("tasks/cancel").length === 1, { timeout: 20_000 });
    expect(traffic.of("notifications/cancelled")).toEqual([]);
  });

  it("rejects if the peer has cancelled it", async () => {
    const { client, traffic } = await connectedTo(() => new Promise(() => {}));
    const pending = requestAsTask(client, "tools/call", { name: "work" });
    pending.catch(() => {});
    await vi.waitUntil(() => traffic.of("tasks/get").length > 0, { timeout: 20_000 });
    const [look] = traffic.of("tasks/get");
    await client.cancelTask({ taskId: look!["taskId"] as string });
    await expect(pending).rejects.toMatchObject({ code: "REQUEST_CANCELLED" });
  });

  it("sends progress until its end (PROG-07)", async () => {
    const { client } = await connectedTo(async (_params, { progress }) => {
      for (const value of [1, 2, 3]) {
        progress(value, 3);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return done;
    });
    const received: number[] = [];
    await requestAsTask(
      client,
      "tools/call",
      { name: "work" },
      { onprogress: ({ progress }) => void received.push(progress) },
    );
    expect(received).toEqual([1, 2, 3]);
  });

  it("is replaced by the plain result from a peer without tasks (TASK-03)", async () => {
    const { client } = await connectedTo(() => done, { features: [] });
    await expect(requestAsTask(client, "tools/call", { name: "work" })).resolves.toEqual(done);
  });
});
