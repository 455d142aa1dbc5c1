import { isTerminal } from "../task.js";
import type { StoredTask, TaskStore } from "../task-store.js";

/** Changes that may be lost to others before one gives up. */
const MAX_ATTEMPTS = 100;

/** Parts of a stored task that a change replaces. */
export type TaskChange = Partial<
  Pick<StoredTask, "outcome" | "questions" | "answers" | "leasedUntil">
> & {
  readonly task?: Partial<StoredTask["task"]> | undefined;
};

/**
 * Changes a task that has not ended, however many others change it meanwhile.
 *
 * @param change - makes the change of what is stored; undefined where there is nothing to change
 * @returns what is stored afterwards; undefined when the task is not there or has ended
 */
export async function changeTask(
  store: TaskStore,
  taskId: string,
  change: (stored: StoredTask) => TaskChange | undefined,
): Promise<StoredTask | undefined> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const stored = await store.get(taskId);
    if (stored === undefined || isTerminal(stored.task)) return undefined;
    const changed = change(stored);
    if (changed === undefined) return stored;
    const task = { ...stored.task, ...changed.task };
    const isTold = changed.task !== undefined || changed.questions !== undefined;
    if (isTold) task.lastUpdatedAt = new Date().toISOString();
    const next = { ...stored, ...changed, task, version: stored.version + 1 };
    if (await store.update(next)) return next;
  }
  throw new Error(`The task ${taskId} changes all the time`);
}
