import type {
  CallToolResult,
  CreateTaskResult,
  Handlers,
  ServerContext,
  Tool,
} from "@mcp-codegen/2025-11-25";
import { describe, expect, it, vi } from "vitest";
import { RpcError } from "../../runtime/wire/errors.js";
import { Tools } from "../../runtime/features/index.js";
import { MemoryTaskStore } from "../../runtime/tasks/memory-task-store.js";
import { requestAsTask } from "../../runtime/tasks/request-as-task.js";
import { Tasks } from "../../runtime/tasks/tasks.js";
import { deferred } from "../engine/support/tiny-endpoints.js";
import { clientOf, connected, serverWith } from "./support/connected.js";

const RELATED = "io.modelcontextprotocol/related-task";
const asTask = { name: "work", task: {} };

const done: CallToolResult = { content: [{ type: "text", text: "done" }] };

type Call = NonNullable<Handlers["tools/call"]>;

/** Creates a tool whose end the test decides on. */
function tool() {
  const end = deferred<CallToolResult>();
  const contexts: ServerContext[] = [];
  const call: Call = (_params, context) => {
    contexts.push(context);
    return end.promise;
  };
  return { end, contexts, handlers: { "tools/call": call } };
}

async function started(options: ConstructorParameters<typeof Tasks>[0] = {}, call?: Call) {
  const { end, contexts, handlers } = tool();
  const tasks = new Tasks(options);
  const all = await connected({
    handlers: call ? { "tools/call": call } : handlers,
    features: [tasks],
  });
  const { task } = (await all.client.callTool(asTask)) as CreateTaskResult;
  return { ...all, end, contexts, tasks, task, taskId: task.taskId };
}

describe("a request that becomes a task", () => {
  it("is declared (TASK-01)", async () => {
    const { client } = await connected({
      handlers: tool().handlers,
      features: [new Tasks({ list: true })],
    });
    expect(client.server?.capabilities.tasks).toEqual({
      list: {},
      cancel: {},
      requests: { tools: { call: {} } },
    });
  });

  it("receives the task at once (TASK-02, TASK-04, TASK-05, TASK-06, TASK-18)", async () => {
    const { task, traffic } = await started({ pollInterval: 500 });
    expect(task).toEqual({
      taskId: expect.stringMatching(/^[\w-]{32}$/),
      status: "working",
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      lastUpdatedAt: task.createdAt,
      ttl: 3_600_000,
      pollInterval: 500,
    });
    expect(traffic.wrong).toEqual([]);
  });

  it.each([
    [5000, 5000],
    [0, 1000],
    [-1, 1000],
    [1e12, 86_400_000],
  ])("has a ttl of %d stored as %d (TASK-18)", async (requested, given) => {
    const { client } = await connected({ handlers: tool().handlers, features: [new Tasks()] });
    const { task } = (await client.callTool({
      ...asTask,
      task: { ttl: requested },
    })) as CreateTaskResult;
    expect(task.ttl).toBe(given);
  });

  it("receives the plain result if tasks are not declared (TASK-03)", async () => {
    for (const features of [[], [new Tasks({ requests: [] })]]) {
      const call = vi.fn<Call>(() => done);
      const { client, server } = await connected({ handlers: { "tools/call": call }, features });
      expect(await client.callTool(asTask)).toEqual(done);
      expect(call.mock.calls[0]![0]).toEqual({ name: "work" });
      await server.close();
    }
  });

  it("receives the plain result if it does not request a task (TASK-03)", async () => {
    const { client } = await connected({
      handlers: { "tools/call": () => done },
      features: [new Tasks()],
    });
    expect(await client.callTool({ name: "work" })).toEqual(done);
  });

  it("follows the task support of a tool (TASK-07, TASK-08, GAP-04, TOOL-27)", async () => {
    const tools = new Tools<Tool, CallToolResult>();
    for (const taskSupport of ["forbidden", "optional", "required"] as const) {
      const inputSchema = { type: "object" as const };
      tools.add({ name: taskSupport, inputSchema, execution: { taskSupport } }, () => done);
    }
    const { client } = await connected({ features: [new Tasks(), tools] });
    const outcome = (name: string, task?: object): Promise<unknown> =>
      client.callTool({ name, ...(task && { task }) }).then(
        (result) => Object.keys(result)[0],
        ({ code }: RpcError) => code,
      );
    expect(await outcome("forbidden", {})).toBe(-32601);
    expect(await outcome("forbidden")).toBe("content");
    expect(await outcome("optional", {})).toBe("task");
    expect(await outcome("optional")).toBe("content");
    expect(await outcome("required", {})).toBe("task");
    expect(await outcome("required")).toBe(-32601);
  });

  it("fails if there is no room for its result (TASK-21)", async () => {
    const store = new MemoryTaskStore({ maxBytesPerOwner: 10_000 });
    const { client, taskId, end, errors } = await started({ store });
    end.resolve({ content: [{ type: "text", text: "x".repeat(10_000) }] });
    await expect(client.request("tasks/result", { taskId })).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining("no room for the result"),
    });
    expect(await client.getTask({ taskId })).toMatchObject({ status: "failed" });
    expect(errors).toHaveLength(1);
  });

  it("has the result of its tool (TASK-10)", async () => {
    const tools = new Tools<Tool, CallToolResult>();
    const execution = { taskSupport: "required" as const };
    tools.add({ name: "work", inputSchema: { type: "object" }, execution }, () => done);
    const { client } = await connected({ features: [tools, new Tasks()] });
    await expect(requestAsTask(client, "tools/call", { name: "work" })).resolves.toMatchObject(
      done,
    );
  });
});

describe("a task", () => {
  it("can be read, and its result awaited (TASK-09, TASK-10)", async () => {
    const { client, taskId, end, traffic, errors } = await started();
    expect(await client.getTask({ taskId })).toMatchObject({ taskId, status: "working" });
    let result: unknown;
    const waiting = client.request("tasks/result", { taskId }).then((value) => (result = value));
    await client.ping();
    expect(result).toBeUndefined();
    end.resolve({ ...done, _meta: { own: 1 } });
    await waiting;
    expect(result).toEqual({ ...done, _meta: { own: 1, [RELATED]: { taskId } } });
    expect(await client.request("tasks/result", { taskId })).toEqual(result);
    expect(await client.getTask({ taskId })).toMatchObject({ taskId, status: "completed" });
    expect([...errors, ...traffic.wrong]).toEqual([]);
  });

  it("fails with the error of its request (TASK-10, TASK-19)", async () => {
    const { client, taskId } = await started({}, async () => {
      throw new RpcError(4711, "no such service", { service: "x" });
    });
    await expect(client.request("tasks/result", { taskId })).rejects.toMatchObject({
      code: 4711,
      message: "no such service",
      data: { service: "x" },
    });
    expect(await client.getTask({ taskId })).toMatchObject({
      status: "failed",
      statusMessage: "no such service",
    });
  });

  it("replaces a code that the protocol reserves, as a plain call does", async () => {
    const { client, taskId } = await started({}, () => {
      throw new RpcError(-32020, "no such service", { service: "x" });
    });
    const plain = await client.callTool({ name: "work" }).catch((error: unknown) => error);
    const task = await client.request("tasks/result", { taskId }).catch((error: unknown) => error);
    expect(task).toEqual(plain);
  });

  it("exposes nothing of other failures of its handler (TASK-13, ERR-11)", async () => {
    const { client, taskId, errors } = await started({}, () => {
      throw new Error("secret");
    });
    await expect(client.request("tasks/result", { taskId })).rejects.toMatchObject({
      code: -32603,
      message: "Internal error",
    });
    expect(errors).toMatchObject([{ code: "HANDLER", message: expect.stringContaining("secret") }]);
  });

  it.each([
    ["that is not of its type", { content: 5 }],
    ["that is not JSON", { content: [], big: 1n }],
  ])("is an internal error with a result %s (TASK-10)", async (_name, result) => {
    const { client, taskId, errors } = await started({}, () => result as never);
    await expect(client.request("tasks/result", { taskId })).rejects.toMatchObject({
      code: -32603,
    });
    expect(errors).toMatchObject([{ code: "HANDLER" }]);
  });

  it("fails if the result is an error, and keeps the result (TASK-19)", async () => {
    const failure: CallToolResult = { content: [], isError: true };
    const { client, taskId } = await started({}, () => failure);
    const result = await client.request("tasks/result", { taskId });
    expect(result).toMatchObject(failure);
    expect((await client.getTask({ taskId })).status).toBe("failed");
  });

  it("is cancelled before the response, finally, and aborts its handler (TASK-12)", async () => {
    const { client, taskId, end, contexts, traffic } = await started();
    await client.ping();
    await vi.waitUntil(() => contexts.length === 1, { timeout: 20_000 });
    const waiting = client.request("tasks/result", { taskId });
    waiting.catch(() => {});
    expect(await client.cancelTask({ taskId })).toMatchObject({ taskId, status: "cancelled" });
    expect(contexts[0]!.signal.reason).toMatchObject({ code: "REQUEST_CANCELLED" });
    await expect(waiting).rejects.toMatchObject({ code: -32602 });
    end.resolve(done);
    await client.ping();
    expect((await client.getTask({ taskId })).status).toBe("cancelled");
    await expect(client.cancelTask({ taskId })).rejects.toMatchObject({ code: -32602 });
    expect(traffic.wrong).toEqual([]);
  });

  it("cannot be cancelled after its end (TASK-12)", async () => {
    const { client, taskId } = await started({}, () => done);
    await client.request("tasks/result", { taskId });
    await expect(client.cancelTask({ taskId })).rejects.toMatchObject({ code: -32602 });
  });

  it("never calls its handler if it is cancelled before (TASK-12)", async () => {
    const call = vi.fn<Call>(() => done);
    const { client, session } = await connected({
      handlers: { "tools/call": call },
      features: [new Tasks()],
    });
    const { task } = (await client.callTool(asTask)) as CreateTaskResult;
    await client.cancelTask({ taskId: task.taskId });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(call).not.toHaveBeenCalled();
    await session.close();
  });

  it("leads to -32602 for all requests if it is unknown (TASK-13)", async () => {
    const { client } = await started();
    const unknown = { taskId: "no such task" };
    for (const method of ["tasks/get", "tasks/result", "tasks/cancel"] as const) {
      await expect(client.request(method, unknown)).rejects.toMatchObject({ code: -32602 });
    }
  });

  it("is listed in pages with cursors that cannot be forged (TASK-11)", async () => {
    const { client, taskId, traffic } = await started({ list: true, pageSize: 2 });
    for (let count = 0; count < 2; count++) await client.callTool(asTask);
    const first = await client.listTasks();
    expect(first.tasks.map((task) => task.taskId)).toContain(taskId);
    expect(first.tasks).toHaveLength(2);
    const second = await client.listTasks({ cursor: first.nextCursor! });
    expect(second.tasks).toHaveLength(1);
    expect(second.nextCursor).toBeUndefined();
    await expect(client.listTasks({ cursor: "forged" })).rejects.toMatchObject({ code: -32602 });
    expect(traffic.wrong).toEqual([]);
  });

  it("is listed only if an option says so (TASK-20)", async () => {
    const { client } = await started();
    await expect(client.listTasks()).rejects.toMatchObject({ code: "CAPABILITY" });
  });

  it("sends status notifications (TASK-16)", async () => {
    const { client, taskId, end, traffic } = await started();
    end.resolve(done);
    await client.request("tasks/result", { taskId });
    const notified = traffic.of("notifications/tasks/status");
    expect(notified.map(({ status }) => status)).toEqual(["completed"]);
    expect(notified.some((params) => "_meta" in params)).toBe(false);
    expect(traffic.wrong).toEqual([]);
  });

  it("sends progress with the same token until its end (PROG-07)", async () => {
    const { handlers, end, contexts } = tool();
    const { client, traffic } = await connected({ handlers, features: [new Tasks()] });
    const received: number[] = [];
    const { task } = (await client.callTool(asTask, {
      onprogress: ({ progress }) => void received.push(progress),
    })) as CreateTaskResult;
    await vi.waitUntil(() => contexts.length === 1, { timeout: 20_000 });
    const { progress } = contexts[0]!;
    for (const value of [1, 2, 1]) progress(value);
    end.resolve(done);
    await client.request("tasks/result", { taskId: task.taskId });
    progress(3);
    await client.ping();
    expect(received).toEqual([1, 2]);
    for (const { _meta } of traffic.of("notifications/progress")) {
      expect(_meta).toEqual({ [RELATED]: { taskId: task.taskId } });
    }
    expect(traffic.wrong).toEqual([]);
  });
});

describe("the owner of a task", () => {
  const ada = { principal: "ada" };
  const bob = { principal: "bob" };

  it("is its principal, from any session, and no one else (TASK-20)", async () => {
    const { server } = serverWith({
      handlers: tool().handlers,
      features: [new Tasks({ list: true })],
    });
    const [first, second, foreign] = await Promise.all(
      [ada, ada, bob].map((auth) => clientOf(server, { auth })),
    );
    const { task } = (await first!.client.callTool(asTask)) as CreateTaskResult;
    const { taskId } = task;
    expect(await second!.client.getTask({ taskId })).toMatchObject({ taskId });
    expect((await second!.client.listTasks()).tasks).toMatchObject([{ taskId }]);
    expect((await foreign!.client.listTasks()).tasks).toEqual([]);
    for (const method of ["tasks/get", "tasks/result", "tasks/cancel"] as const) {
      await expect(foreign!.client.request(method, { taskId })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining("unknown"),
      });
    }
    await first!.client.close();
    expect(await second!.client.getTask({ taskId })).toMatchObject({ status: "working" });
    await server.close();
  });

  it("is its session without a principal, and the task ends with it (TASK-20)", async () => {
    const { contexts, handlers } = tool();
    const { server } = serverWith({ handlers, features: [new Tasks({ list: true })] });
    const [one, two] = await Promise.all([clientOf(server), clientOf(server)]);
    const { task } = (await one.client.callTool(asTask)) as CreateTaskResult;
    const { taskId } = task;
    await expect(two.client.getTask({ taskId })).rejects.toMatchObject({ code: -32602 });
    expect((await two.client.listTasks()).tasks).toEqual([]);
    await vi.waitUntil(() => contexts.length === 1, { timeout: 20_000 });
    const { signal } = contexts[0]!;
    await one.client.close();
    await vi.waitUntil(() => signal.aborted, { timeout: 20_000 });
    await server.close();
  });

  it("is everyone who knows its id, if an option says so (TASK-20)", async () => {
    const features = [new Tasks({ bindToSession: false, list: true })];
    const { server } = serverWith({ handlers: tool().handlers, features });
    const [one, two] = await Promise.all([clientOf(server), clientOf(server)]);
    const { task } = (await one.client.callTool(asTask)) as CreateTaskResult;
    await one.client.close();
    expect(await two.client.getTask({ taskId: task.taskId })).toMatchObject({ status: "working" });
    expect((await two.client.listTasks()).tasks).toEqual([]);
    await server.close();
  });
});

describe("limits of tasks", () => {
  it("apply to the tasks of one owner at once (TASK-21)", async () => {
    const { client } = await started({ maxRunningPerOwner: 2 });
    await client.callTool(asTask);
    await expect(client.callTool(asTask)).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining("Busy"),
    });
    expect(await client.ping()).toEqual({});
  });

  it.each([{ maxRunning: 2 }, { maxRunningPerOwner: 2 }])(
    "apply while a slow store adds tasks: %j (TASK-21)",
    async (limit) => {
      const store = new MemoryTaskStore();
      const add = vi.spyOn(store, "add").mockImplementation(async (stored) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        if (add.mock.calls.length < 2) throw new Error("lost");
        return MemoryTaskStore.prototype.add.call(store, stored);
      });
      const feature = new Tasks({ ...limit, store });
      const { client } = await connected({ handlers: tool().handlers, features: [feature] });
      const call = (): Promise<unknown> => client.callTool(asTask).then(() => "task");
      const busy = expect.objectContaining({ message: expect.stringContaining("Busy") });
      await expect(call()).rejects.not.toEqual(busy);
      const results = await Promise.allSettled(Array.from({ length: 5 }, call));
      expect(results.map(({ status }) => status).toSorted()).toEqual([
        "fulfilled",
        "fulfilled",
        ...Array.from({ length: 3 }, () => "rejected"),
      ]);
    },
  );

  it("free a place when a task ends (TASK-21)", async () => {
    const { client, end, taskId } = await started({ maxRunning: 1 });
    end.resolve(done);
    await client.request("tasks/result", { taskId });
    await expect(client.callTool(asTask)).resolves.toMatchObject({ task: { status: "working" } });
  });

  it("stop and remove a task when its time is over (TASK-18, TASK-21)", async () => {
    const { handlers, contexts } = tool();
    const { client } = await connected({ handlers, features: [new Tasks()] });
    const created = (await client.callTool({ ...asTask, task: { ttl: 1 } })) as CreateTaskResult;
    const { taskId } = created.task;
    const waiting = client.request("tasks/result", { taskId });
    await expect(waiting).rejects.toMatchObject({ code: -32602 });
    expect(contexts[0]!.signal.reason).toMatchObject({ code: "REQUEST_TIMEOUT" });
    await expect(client.getTask({ taskId })).rejects.toMatchObject({ code: -32602 });
  });

  it("do not prevent close() from stopping all tasks; a log records each (TASK-21)", async () => {
    const onstatus = vi.fn();
    const { client, tasks, contexts, taskId } = await started({ onstatus });
    await vi.waitUntil(() => contexts.length === 1, { timeout: 20_000 });
    expect(onstatus).toHaveBeenCalledWith(expect.objectContaining({ taskId }), expect.any(String));
    tasks.close();
    expect(contexts[0]!.signal.aborted).toBe(true);
    expect(await client.ping()).toEqual({});
  });
});
