import type { CallToolResult, CreateTaskResult, Handlers } from "@mcp-codegen/2025-11-25";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { OverloadError, RpcError } from "../../runtime/wire/errors.js";
import { MemoryTaskStore } from "../../runtime/tasks/memory-task-store.js";
import type { TaskStore } from "../../runtime/tasks/task-store.js";
import { Tasks } from "../../runtime/tasks/tasks.js";
import { deferred } from "../engine/support/tiny-endpoints.js";
import { clientOf, connected, serverWith } from "./support/connected.js";

const done: CallToolResult = { content: [{ type: "text", text: "done" }] };
const auth = { principal: "ada" };

async function later<T>(action: () => T): Promise<Awaited<T>> {
  await new Promise((resolve) => setTimeout(resolve, 1));
  return await action();
}

/** Creates a store that answers later, as a store on the network does. */
function remote(store: TaskStore): TaskStore {
  return {
    add: (stored) => later(() => store.add(stored)),
    get: (taskId) => later(() => store.get(taskId)),
    update: (stored) => later(() => store.update(stored)),
    list: (owner) => later(() => store.list(owner)),
    delete: (taskId) => later(() => store.delete(taskId)),
  };
}

/** Creates two servers with one store, and a client for each. */
async function instances(call: NonNullable<Handlers["tools/call"]>) {
  const store = remote(new MemoryTaskStore());
  const clients = [0, 1].map(async () => {
    const features = [new Tasks({ store, pollInterval: 10, list: true })];
    const { server } = serverWith({ handlers: { "tools/call": call }, features });
    return (await clientOf(server, { auth })).client;
  });
  const [one, two] = await Promise.all(clients);
  const { task } = (await one!.callTool({ name: "work", task: {} })) as CreateTaskResult;
  return { one: one!, two: two!, taskId: task.taskId };
}

describe("instances that share a store", () => {
  it("return the result from any of them (TASK-10)", async () => {
    const end = deferred<CallToolResult>();
    const { two, taskId } = await instances(() => end.promise);
    const waiting = two.request("tasks/result", { taskId });
    expect((await two.listTasks()).tasks).toMatchObject([{ taskId, status: "working" }]);
    end.resolve(done);
    await expect(waiting).resolves.toMatchObject(done);
  });

  it("keep a task cancelled everywhere (TASK-12)", async () => {
    const end = deferred<CallToolResult>();
    const { one, two, taskId } = await instances(() => end.promise);
    expect(await two.cancelTask({ taskId })).toMatchObject({ status: "cancelled" });
    end.resolve(done);
    await expect(one.request("tasks/result", { taskId })).rejects.toMatchObject({ code: -32602 });
    await expect(one.cancelTask({ taskId })).rejects.toMatchObject({ code: -32602 });
    expect(await one.getTask({ taskId })).toMatchObject({ status: "cancelled" });
  });
});

describe("instances that share a store which is declared as shared", () => {
  /** Creates two servers with one store, of which the first works on the task. */
  async function pair(call: NonNullable<Handlers["tools/call"]>, lease = 60_000) {
    const store: TaskStore = { ...remote(new MemoryTaskStore()), isShared: true };
    const requested: unknown[] = [];
    const ends = await Promise.all(
      [0, 1].map((index) => {
        const tasks = new Tasks({ store, pollInterval: 10, lease });
        const { server, errors } = serverWith({
          handlers: { "tools/call": call },
          features: [tasks],
        });
        const clientHandlers = {
          "elicitation/create": (params: unknown) => {
            requested.push([index, params]);
            if (refuses) throw new RpcError(-1, "not today");
            return { action: "accept" as const, content: {} };
          },
        };
        return clientOf(server, { auth, clientHandlers }).then((one) => ({ ...one, errors }));
      }),
    );
    const [one, two] = ends.map(({ client }) => client);
    const { task } = (await one!.callTool({ name: "work", task: {} })) as CreateTaskResult;
    return { one: one!, two: two!, taskId: task.taskId, requested, store, ends };
  }
  let refuses = false;
  const elicit = { message: "Sure?", requestedSchema: { type: "object" as const, properties: {} } };

  it("forward a request to the user at any of them, and the response back, once (TASK-14, TASK-15)", async () => {
    const { two, taskId, requested, ends } = await pair(async (_params, { request }) => {
      const first = (await request("elicitation/create", elicit)) as { action: string };
      const second = (await request("elicitation/create", elicit)) as { action: string };
      return { content: [{ type: "text", text: `${first.action} ${second.action}` }] };
    });
    const results = await Promise.all([1, 2].map(() => two.request("tasks/result", { taskId })));
    for (const result of results)
      expect(result).toMatchObject({ content: [{ text: "accept accept" }] });
    const question = { ...elicit, _meta: { "io.modelcontextprotocol/related-task": { taskId } } };
    expect(requested).toEqual([
      [1, question],
      [1, question],
    ]);
    expect(ends.flatMap(({ errors }) => errors)).toEqual([]);
  });

  it("keep nothing of a request for the result that is cancelled", async () => {
    const { two, taskId, requested } = await pair(async (_params, { request }) => {
      await request("elicitation/create", elicit);
      return new Promise(() => {});
    });
    const grown = new Set<Map<unknown, unknown>>();
    const { set } = Map.prototype;
    const spy = vi.spyOn(Map.prototype, "set").mockImplementation(function (
      this: Map<unknown, unknown>,
      ...entry
    ) {
      if (entry[0] === taskId && !this.has(taskId)) grown.add(this);
      return set.apply(this, entry);
    });
    onTestFinished(() => spy.mockRestore());
    const stop = new AbortController();
    const result = two.request("tasks/result", { taskId }, { signal: stop.signal });
    await expect.poll(() => requested).toHaveLength(1);
    stop.abort(new Error("enough"));
    await expect(result).rejects.toThrow("enough");
    expect(grown.size).toBeGreaterThan(0);
    await expect.poll(() => [...grown].filter((map) => map.has(taskId))).toEqual([]);
  });

  it("forward the error of the user's client back", async () => {
    refuses = true;
    onTestFinished(() => void (refuses = false));
    const { two, taskId } = await pair(async (_params, { request }) => {
      const code = await request("elicitation/create", elicit).catch((error: RpcError) => error);
      return { content: [{ type: "text", text: (code as RpcError).message }] };
    });
    expect(await two.request("tasks/result", { taskId })).toMatchObject({
      content: [{ text: "not today" }],
    });
  });

  it("abort the handler within its lease if another one cancels the task (TASK-12)", async () => {
    const aborted = deferred<unknown>();
    const { two, taskId } = await pair((_params, { signal }) => {
      signal.addEventListener("abort", () => aborted.resolve(signal.reason));
      return new Promise(() => {});
    }, 60);
    expect(await two.cancelTask({ taskId })).toMatchObject({ status: "cancelled" });
    expect(await aborted.promise).toBeInstanceOf(Error);
    await expect(two.request("tasks/result", { taskId })).rejects.toMatchObject({ code: -32602 });
  });

  it("let a task fail if its instance is gone, for each request about it (TASK-13)", async () => {
    for (const method of ["tasks/get", "tasks/result", "tasks/cancel"] as const) {
      const { two, taskId, store } = await pair(() => new Promise(() => {}));
      const stored = (await store.get(taskId))!;
      expect(Date.parse(stored.leasedUntil!)).toBeGreaterThan(Date.now());
      const leasedUntil = new Date(Date.now() - 1).toISOString();
      await store.update({ ...stored, leasedUntil, version: stored.version + 1 });
      const answer = await two.request(method, { taskId }).catch((error: unknown) => error);
      if (method === "tasks/get") expect(answer).toMatchObject({ status: "failed" });
      if (method === "tasks/result") expect(answer).toMatchObject({ code: -32603 });
      if (method === "tasks/cancel") expect(answer).toMatchObject({ code: -32602 });
      expect((await two.getTask({ taskId })).statusMessage).toContain("is gone");
    }
  });

  it("renew the lease of the tasks they run", async () => {
    const { one, two, taskId, store } = await pair(() => new Promise(() => {}), 90);
    const first = (await store.get(taskId))!.leasedUntil!;
    await expect.poll(async () => (await store.get(taskId))!.leasedUntil! > first).toBe(true);
    await expect.poll(() => Date.now() > Date.parse(first)).toBe(true);
    for (const client of [one, two])
      expect(await client.getTask({ taskId })).toMatchObject({ status: "working" });
  });
});

function failing(method: keyof TaskStore, error: Error): TaskStore {
  const store: TaskStore = new MemoryTaskStore();
  return new Proxy(store, {
    get(target, name) {
      if (name === method) return () => Promise.reject(error);
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
}

function connectedTo(store: TaskStore) {
  return connected({
    handlers: { "tools/call": () => done },
    features: [new Tasks({ store, pollInterval: 10 })],
  });
}

describe("a store that fails", () => {
  it("is reported as unavailable, without details for the client (TASK-13)", async () => {
    const { client, errors } = await connectedTo(failing("add", new Error("disk on fire")));
    await expect(client.callTool({ name: "work", task: {} })).rejects.toMatchObject({
      code: -32603,
      message: "Currently unreachable: the store of tasks; try again later",
    });
    expect(errors).toMatchObject([{ message: expect.stringContaining("disk on fire") }]);
  });

  it("reports that it is full (TASK-21)", async () => {
    const { client } = await connectedTo(failing("add", new OverloadError("full")));
    await expect(client.callTool({ name: "work", task: {} })).rejects.toMatchObject({
      message: expect.stringContaining("Busy"),
    });
  });

  it("reports a lost change; the task can still be read", async () => {
    const { client, errors } = await connectedTo(failing("update", new Error("disk on fire")));
    const { task } = (await client.callTool({ name: "work", task: {} })) as CreateTaskResult;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(errors).toMatchObject([{ message: "disk on fire" }]);
    expect(await client.getTask({ taskId: task.taskId })).toMatchObject({ status: "working" });
  });
});
