import type { StoredTask, TaskStore } from "@mcp-codegen/runtime/tasks";
import { type StoreCase, becomes, casesOf, equal, fails, newId } from "./store-case.js";

/** The store limits that cases require. */
export interface TaskCaseOptions {
  readonly maxTasks?: number | undefined;
  readonly maxPerOwner?: number | undefined;
  readonly maxBytes?: number | undefined;
  readonly maxBytesPerOwner?: number | undefined;
}

const MINUTE = 60_000;

function newTask(owner: string, ttl: number | null = MINUTE): StoredTask {
  const now = new Date().toISOString();
  const times = { createdAt: now, lastUpdatedAt: now, ttl };
  return { owner, version: 0, task: { taskId: newId(), status: "working", ...times } };
}

type Change = Partial<Omit<StoredTask, "task">> & {
  readonly status?: StoredTask["task"]["status"];
};

function next({ task, ...rest }: StoredTask, change: Change = {}): StoredTask {
  const { status = task.status, ...others } = change;
  return { ...rest, version: rest.version + 1, task: { ...task, status }, ...others };
}

const idsOf = (tasks: readonly StoredTask[]): string[] => tasks.map(({ task }) => task.taskId);

const withText = (length: number): Change => ({
  status: "completed",
  outcome: { result: { text: "x".repeat(length) } },
});

/** The cases that every {@link TaskStore} must pass. Each run requires a store that has no other tasks. */
export const taskCases: readonly StoreCase<TaskStore, TaskCaseOptions>[] = casesOf({
  "stores a task unchanged, for all instances": async (make) => {
    const [one, other] = [await make(), await make()];
    const task: StoredTask = {
      ...newTask("ada"),
      questions: { q: { method: "elicitation/create", params: { message: 'a "quote" 😀' } } },
      answers: { q: [1, null, { deep: true }] },
      leasedUntil: new Date().toISOString(),
    };
    await one.add(task);
    equal(await other.get(task.task.taskId), task, "a task");
    equal(await other.get(newId()), undefined, "a task that never existed");
  },

  "replaces a version only by the next one": async (make) => {
    const [one, other] = [await make(), await make()];
    const task = newTask("ada");
    equal(await one.update(next(task)), false, "an update of a task that does not exist");
    await one.add(task);
    equal(await one.update(next(task, { status: "input_required" })), true, "the next version");
    equal(await other.update(next(task)), false, "the same version again");
    equal(await other.update({ ...next(task), version: 5 }), false, "a later version");
    const kept = await other.get(task.task.taskId);
    equal([kept?.version, kept?.task.status], [1, "input_required"], "the task");
  },

  "accepts one of many concurrent changes": async (make) => {
    const instances = [await make(), await make(), await make()];
    const task = newTask("ada");
    await instances[0]!.add(task);
    const changes = Array.from({ length: 30 }, async (_, index) =>
      instances[index % 3]!.update(next(task)),
    );
    equal((await Promise.all(changes)).filter(Boolean).length, 1, "accepted changes");
  },

  "never changes a task that has ended": async (make) => {
    const store = await make();
    for (const status of ["completed", "failed", "cancelled"] as const) {
      const task = newTask("ada");
      await store.add(task);
      const ended = next(task, { status });
      equal(await store.update(ended), true, `the end: ${status}`);
      equal(await store.update(next(ended)), false, `a change after ${status}`);
      equal((await store.get(task.task.taskId))?.task.status, status, "the status");
    }
  },

  "lists the tasks of an owner, the oldest first": async (make) => {
    const [one, other] = [await make(), await make()];
    const owners = ["ada", "bob", "ada", "", "ad", "ada lovelace", "ada"];
    const tasks = owners.map((owner) => newTask(owner));
    for (const [index, task] of tasks.entries()) await (index % 2 ? one : other).add(task);
    const idsFor = (owner: string): string[] => idsOf(tasks.filter((task) => task.owner === owner));
    for (const owner of new Set(owners))
      equal(idsOf(await one.list(owner)), idsFor(owner), `tasks of "${owner}"`);
    equal(await one.list("eve"), [], "tasks of an owner without tasks");
    await one.update(next(tasks[0]!));
    await other.delete(tasks[2]!.task.taskId);
    const left = idsOf([tasks[0]!, tasks[6]!]);
    equal(idsOf(await other.list("ada")), left, "tasks after a change and a deletion");
  },

  "deletes a task, and ignores one that does not exist": async (make) => {
    const store = await make();
    const task = newTask("ada");
    await store.add(task);
    await store.delete(task.task.taskId);
    await store.delete(task.task.taskId);
    equal(await store.get(task.task.taskId), undefined, "the task");
    equal(await store.update(next(task)), false, "an update");
  },

  "deletes a task when its lifetime is over": async (make) => {
    const store = await make();
    const [short, long, endless] = [newTask("ada", 150), newTask("ada"), newTask("ada", null)];
    for (const task of [short, long, endless]) await store.add(task);
    await becomes(() => store.get(short.task.taskId), undefined, "the task");
    equal(await store.update(next(short)), false, "an update");
    const left = idsOf([long, endless]);
    equal(idsOf(await store.list("ada")), left, "the tasks of its owner");
    equal(await store.update(next(long)), true, "an update of another");
    equal(await store.update(next(endless)), true, "an update of one without an end");
  },

  "limits the number of tasks, in total and for each owner; deleted and expired tasks make room":
    async (make) => {
      const store = await make({ maxTasks: 3, maxPerOwner: 2 });
      const [one, other] = [newTask("ada", 150), newTask("ada")];
      await store.add(one);
      await store.add(other);
      await fails(() => store.add(newTask("ada")), "OverloadError", "one more of its owner");
      await store.add(newTask("bob"));
      await fails(() => store.add(newTask("eve")), "OverloadError", "one more in total");
      await becomes(() => store.get(one.task.taskId), undefined, "a task that is over");
      await store.add(newTask("ada"));
      await store.delete(other.task.taskId);
      await store.add(newTask("eve"));
    },

  "has a limit in bytes; the failure of a task always fits": async (make) => {
    const store = await make({ maxBytes: 30_000, maxBytesPerOwner: 20_000 });
    const [first, second, third, fourth] = ["ada", "ada", "bob", "bob"].map((owner) =>
      newTask(owner),
    ) as [StoredTask, StoredTask, StoredTask, StoredTask];
    for (const task of [first, second, third, fourth]) await store.add(task);
    equal(await store.update(next(first, withText(5000))), true, "a result that fits");
    await fails(() => store.update(next(second, withText(5000))), "OverloadError", "of one owner");
    equal((await store.get(second.task.taskId))?.task.status, "working", "the status");
    equal(await store.update(next(third, withText(5000))), true, "a result of another owner");
    await fails(() => store.update(next(fourth, withText(4000))), "OverloadError", "in all");
    const message = "Internal error: there is no room for the result";
    const failed = next(fourth, {
      status: "failed",
      outcome: { error: { code: -32603, message } },
    });
    equal(await store.update(failed), true, "the failure");
    await store.delete(first.task.taskId);
    equal(
      await store.update(next(second, withText(5000))),
      true,
      "a result for which there is room again",
    );
  },
});
