import { afterEach, describe, expect, it, vi } from "vitest";
import { OverloadError } from "../../runtime/wire/errors.js";
import { MemoryTaskStore } from "../../runtime/tasks/memory-task-store.js";
import type { TaskStatus } from "../../runtime/tasks/task.js";
import type { StoredTask } from "../../runtime/tasks/task-store.js";

function stored(taskId: string, owner = "ada", ttl: number | null = 1000): StoredTask {
  const now = new Date().toISOString();
  const task = { taskId, status: "working", createdAt: now, lastUpdatedAt: now, ttl } as const;
  return { owner, version: 0, task };
}

/** Returns the next version of a task. */
const withStatus = ({ task, ...rest }: StoredTask, status: TaskStatus): StoredTask => ({
  ...rest,
  version: rest.version + 1,
  task: { ...task, status },
});

describe("MemoryTaskStore", () => {
  afterEach(() => void vi.useRealTimers());

  it("stores tasks by id, and lists them by owner in order", () => {
    const store = new MemoryTaskStore();
    for (const [id, owner] of [
      ["1", "ada"],
      ["2", "bob"],
      ["3", "ada"],
    ] as const) {
      store.add(stored(id, owner));
    }
    expect(store.get("2")).toMatchObject({ owner: "bob" });
    expect(store.list("ada").map(({ task }) => task.taskId)).toEqual(["1", "3"]);
    store.delete("1");
    store.delete("1");
    expect(store.list("ada")).toHaveLength(1);
  });

  it("never changes a final status (TASK-06)", () => {
    const store = new MemoryTaskStore();
    const task = stored("1");
    store.add(task);
    const asking = withStatus(task, "input_required");
    expect(store.update(asking)).toBe(true);
    expect(store.update(withStatus(asking, "completed"))).toBe(true);
    expect(store.update(withStatus(withStatus(asking, "completed"), "cancelled"))).toBe(false);
    expect(store.get("1")?.task.status).toBe("completed");
    expect(store.update(stored("2"))).toBe(false);
  });

  it("replaces a version only by the next one", () => {
    const store = new MemoryTaskStore();
    store.add(stored("1"));
    const [one, other] = [
      withStatus(stored("1"), "input_required"),
      withStatus(stored("1"), "working"),
    ];
    expect(store.update(one)).toBe(true);
    expect(store.update(other)).toBe(false);
    expect(store.get("1")).toBe(one);
    expect(store.update({ ...one, version: 5 })).toBe(false);
  });

  it("removes a task when its time is over, and never without a time (TASK-18)", () => {
    vi.useFakeTimers();
    const store = new MemoryTaskStore();
    store.add(stored("1", "ada", 1000));
    store.add(stored("2", "ada", null));
    vi.advanceTimersByTime(999);
    expect(store.get("1")).toBeDefined();
    vi.advanceTimersByTime(1);
    expect(store.get("1")).toBeUndefined();
    expect(store.update(stored("1"))).toBe(false);
    expect(store.list("ada").map(({ task }) => task.taskId)).toEqual(["2"]);
  });

  it("has a limit in total and per owner, and finished tasks are removed first (TASK-21)", () => {
    vi.useFakeTimers();
    const store = new MemoryTaskStore({ maxTasks: 3, maxPerOwner: 2 });
    store.add(stored("1", "ada"));
    store.add(stored("2", "ada"));
    expect(() => store.add(stored("3", "ada"))).toThrow("no room");
    store.add(stored("4", "bob", 10_000));
    expect(() => store.add(stored("5", "eve"))).toThrow("no room");
    vi.advanceTimersByTime(1000);
    store.add(stored("6", "ada"));
    store.add(stored("7", "eve"));
    expect(store.get("4")).toBeDefined();
  });

  it("has a limit in bytes, in total and per owner, and the failure of a task always fits (TASK-21)", () => {
    const store = new MemoryTaskStore({ maxBytes: 30_000, maxBytesPerOwner: 20_000 });
    const finished = (task: StoredTask, length: number): StoredTask => ({
      ...withStatus(task, "completed"),
      outcome: { result: { text: "x".repeat(length) } },
    });
    for (const [id, owner] of ["ada", "ada", "bob", "bob"].entries())
      store.add(stored(`${id}`, owner));
    expect(store.update(finished(stored("0"), 5000))).toBe(true);
    expect(() => store.update(finished(stored("1"), 5000))).toThrow(OverloadError);
    expect(store.get("1")?.task.status).toBe("working");
    expect(store.update(finished(stored("2", "bob"), 5000))).toBe(true);
    expect(() => store.update(finished(stored("3", "bob"), 4000))).toThrow("no room");
    const message = "Internal error: there is no room for the result";
    const { task } = withStatus(stored("3", "bob"), "failed");
    const failed = { owner: "bob", version: 1, task: { ...task, statusMessage: message } };
    const outcome = { error: { code: -32603, message } };
    expect(store.update({ ...failed, outcome })).toBe(true);
    store.delete("0");
    expect(store.update(finished(stored("1"), 5000))).toBe(true);
  });

  it("discards finished tasks by itself, then leaves no timer (TASK-21)", () => {
    vi.useFakeTimers();
    const store = new MemoryTaskStore();
    store.add(stored("1"));
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(60_000);
    expect(vi.getTimerCount()).toBe(0);
    store.add(stored("2"));
    expect(vi.getTimerCount()).toBe(1);
  });
});
