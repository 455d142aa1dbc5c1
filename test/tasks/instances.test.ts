import type { CallToolResult, CreateTaskResult, Handlers } from "@mcp-codegen/2025-11-25";
import { describe, expect, it } from "vitest";
import { OverloadError } from "../../runtime/wire/errors.js";
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

/** A store that answers later, as one on the network does. */
function remote(store: TaskStore): TaskStore {
  return {
    add: (stored) => later(() => store.add(stored)),
    get: (taskId) => later(() => store.get(taskId)),
    update: (stored) => later(() => store.update(stored)),
    list: (owner) => later(() => store.list(owner)),
    delete: (taskId) => later(() => store.delete(taskId)),
  };
}

/** Two servers with one store, and a client of each. */
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

function failing(method: keyof TaskStore, error: Error): TaskStore {
  const store: TaskStore = new MemoryTaskStore();
  return new Proxy(store, {
    get(target, name) {
      if (name === method) return () => Promise.reject(error);
      const member = Reflect.get(target, name) as () => unknown;
      return member.bind(target);
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
  it("cannot be reached now, which says no more, and is reported (TASK-13)", async () => {
    const { client, errors } = await connectedTo(failing("add", new Error("disk on fire")));
    await expect(client.callTool({ name: "work", task: {} })).rejects.toMatchObject({
      code: -32603,
      message: "Cannot be reached now: the store of tasks; try again later",
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
