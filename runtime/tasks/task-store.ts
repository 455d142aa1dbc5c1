import type { HandlerContext, InputRequest } from "../api/index.js";
import { LONGEST_DELAY } from "../ground/index.js";
import type { ErrorObject } from "../wire/index.js";
import type { Task } from "./task.js";

/** Outcome of a task: exactly the answer that its request would have had. Plain JSON. */
export type TaskOutcome =
  { readonly result: Readonly<Record<string, unknown>> } | { readonly error: ErrorObject };

/** A task with all that has to be kept of it. Plain JSON, never changed: each change makes a new one. */
export interface StoredTask {
  readonly task: Task;
  /** Party that may ask for the task; opaque to the store, empty where anybody may who knows the id. */
  readonly owner: string;
  /** Number of changes so far: 0 for a new task. */
  readonly version: number;
  /** Absent until it has come to its end, and when it was cancelled. */
  readonly outcome?: TaskOutcome;
  /** Questions that nobody has answered yet, by their keys. */
  readonly questions?: Readonly<Record<string, InputRequest>>;
  /** Answers that the handler has not taken yet, by the keys of the questions. */
  readonly answers?: Readonly<Record<string, unknown>>;
  /** Time at which the task has lost its worker unless that says otherwise, ISO 8601; stores of one process need none. */
  readonly leasedUntil?: string;
}

/**
 * Store of tasks; it forgets a task when its `ttl` is over. An error that it throws reaches the
 * peer as an `UnavailableError`, over HTTP with status 503, unless it is an `RpcError`.
 *
 * Several instances may share one store: each can list all tasks and fetch their results. A task's
 * handler runs on the instance that created it: only that instance can send requests to the peer,
 * and a cancellation on another instance does not stop the handler.
 */
export interface TaskStore {
  /**
   * True where other processes use the store, too: a worker renews a lease then, and looks for answers and cancellations
   * that others have taken. Default: false.
   */
  readonly isShared?: boolean | undefined;

  /** @throws OverloadError when there is no room for it */
  add(stored: StoredTask): void | Promise<void>;

  get(taskId: string): StoredTask | undefined | Promise<StoredTask | undefined>;

  /**
   * Takes the place of what is stored under the same id, in one step with looking whether it may.
   * @param stored - its version is the next one after that which it replaces
   * @returns false, and nothing changes, when the task is not there, has come to its end, or has another version by now
   * @throws OverloadError when there is no room for the outcome; the task is made a failed one then
   */
  update(stored: StoredTask): boolean | Promise<boolean>;

  /** Tasks of one owner, the oldest first. */
  list(owner: string): readonly StoredTask[] | Promise<readonly StoredTask[]>;

  delete(taskId: string): void | Promise<void>;
}

/** Owner of tasks that any client may access if it knows their ids. */
export const ANYONE = "";

/** Owner of the tasks of an authenticated caller; {@link ANYONE} if the caller is not authenticated. */
export function ownerByAuth({ auth }: Pick<HandlerContext, "auth">): string {
  return auth ? `principal ${auth.principal}` : ANYONE;
}

/**
 * Runs an action later without keeping the process alive; never one that is due in more than {@link LONGEST_DELAY}.
 * @returns a function that cancels it
 */
export function inBackground(milliseconds: number, action: () => void): () => void {
  if (milliseconds > LONGEST_DELAY) return () => {};
  const timer: unknown = setTimeout(action, milliseconds);
  (timer as { unref?: () => void }).unref?.();
  return () => clearTimeout(timer as number);
}
