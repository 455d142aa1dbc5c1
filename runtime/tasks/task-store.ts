import type { ErrorObject } from "../wire/index.js";
import type { Task } from "./task.js";

/** What a task came to: exactly what its request would have been answered. Plain JSON. */
export type TaskOutcome =
  { readonly result: Readonly<Record<string, unknown>> } | { readonly error: ErrorObject };

/** A task with all that has to be kept of it. Plain JSON, never changed: each change makes a new one. */
export interface StoredTask {
  readonly task: Task;
  /** Who may ask after it; opaque to the store. */
  readonly owner: string;
  /** Absent until it has come to its end, and when it was cancelled. */
  readonly outcome?: TaskOutcome;
}

/**
 * Where tasks are kept; it forgets one when its `ttl` is over. What it throws reaches the peer as -32603, unless it is
 * an `RpcError`.
 *
 * One store may serve several instances: each can look after all tasks and fetch their results. But a task is worked on
 * by the instance that made it, which alone can ask the peer something, and goes on with its work when it is cancelled
 * on another one.
 */
export interface TaskStore {
  /** @throws OverloadError when there is no room for it */
  add(stored: StoredTask): void | Promise<void>;

  get(taskId: string): StoredTask | undefined | Promise<StoredTask | undefined>;

  /**
   * Takes the place of what is stored under the same id, in one step with looking whether it may.
   * @returns false, and nothing changes, when the task is not there or has come to its end
   * @throws OverloadError when there is no room for the outcome; the task is made a failed one then
   */
  update(stored: StoredTask): boolean | Promise<boolean>;

  /** Those of one owner, the oldest first. */
  list(owner: string): readonly StoredTask[] | Promise<readonly StoredTask[]>;

  delete(taskId: string): void | Promise<void>;
}
