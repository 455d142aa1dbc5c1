import type { HandlerContext, InputRequest } from "../api/index.js";
import { LONGEST_DELAY } from "../ground/index.js";
import type { ErrorObject } from "../wire/index.js";
import type { Task } from "./task.js";

/** A task's outcome: exactly the response that its request would have received. Plain JSON. */
export type TaskOutcome =
  { readonly result: Readonly<Record<string, unknown>> } | { readonly error: ErrorObject };

/** A task with everything that is stored with it. Plain JSON and immutable: each change creates a new one. */
export interface StoredTask {
  readonly task: Task;
  /** The party that may access the task; opaque to the store. Empty if any client that knows the id may access it. */
  readonly owner: string;
  /** The number of changes so far. A new task starts at 0. */
  readonly version: number;
  /** The response to the request. Absent until the task has ended, and if the task was cancelled. */
  readonly outcome?: TaskOutcome;
  /** Unanswered questions, by key. */
  readonly questions?: Readonly<Record<string, InputRequest>>;
  /** Maps the keys of questions to answers that the handler has not received yet. */
  readonly answers?: Readonly<Record<string, unknown>>;
  /** Maps the keys of questions to refusals that the handler has not received yet. */
  readonly refusals?: Readonly<Record<string, ErrorObject>>;
  /**
   * The time (ISO 8601) at which the task counts as abandoned unless its process renews the lease. Not needed by stores
   * that are used in one process only.
   */
  readonly leasedUntil?: string;
}

/**
 * A task store, which removes each task after its `ttl`. An error that it throws reaches the peer as an
 * `UnavailableError`, over HTTP with status 503, unless it is an `RpcError` or an `OverloadError`.
 *
 * Several instances may share one store. Each of them can list all tasks, fetch their results, forward their questions
 * and answers, and cancel them. A task's handler runs on the instance that created the task; if that instance no longer
 * exists, the task fails.
 */
export interface TaskStore {
  /**
   * True if other processes also use the store: each process then renews the leases of its tasks,
   * and polls for answers and cancellations that other processes received. Default: false.
   */
  readonly isShared?: boolean | undefined;

  /**
   * Stores a new task.
   * @throws OverloadError if there is no room for it
   */
  add(stored: StoredTask): void | Promise<void>;

  get(taskId: string): StoredTask | undefined | Promise<StoredTask | undefined>;

  /**
   * Replaces the task with the same id. The version must be checked atomically with the replacement.
   *
   * @param stored - the new state, whose version is one greater than that of the task it replaces
   * @returns false, without making any change, if the task does not exist, has ended, or by now has another version
   * @throws OverloadError if there is no room for the outcome; the task then fails
   */
  update(stored: StoredTask): boolean | Promise<boolean>;

  /** Returns one owner's tasks, oldest first. */
  list(owner: string): readonly StoredTask[] | Promise<readonly StoredTask[]>;

  delete(taskId: string): void | Promise<void>;
}

/** The owner of tasks that any client may access if it knows their ids. */
export const ANYONE = "";

export function ownerByAuth({ auth }: Pick<HandlerContext, "auth">): string {
  return auth ? `principal ${auth.principal}` : ANYONE;
}

export interface Lease {
  /** Schedules the next renewal, replacing any that is already scheduled. */
  schedule(): void;
  stop(): void;
}

/**
 * Starts a lease. It is renewed three times per period, or more often if `pause` is shorter.
 *
 * @param renew - stores the time at which the lease ends, and reads changes made by others
 * @param pause - returns the longest wait before the next renewal, in milliseconds
 */
export function startLease(
  milliseconds: number,
  renew: (leasedUntil: string) => Promise<void>,
  pause: () => number,
): Lease {
  let cancel: (() => void) | undefined;
  let isOver = false;
  const schedule = (): void => {
    if (isOver) return;
    cancel?.();
    cancel = inBackground(Math.min(milliseconds / 3, pause()), () => {
      void renew(leaseEnd(milliseconds)).then(schedule);
    });
  };
  schedule();
  const stop = (): void => {
    isOver = true;
    cancel?.();
  };
  return { schedule, stop };
}

export function leaseEnd(milliseconds: number): string {
  return new Date(Date.now() + milliseconds).toISOString();
}

export function statusWith(questions: object): "input_required" | "working" {
  return Object.keys(questions).length > 0 ? "input_required" : "working";
}

export function without<Value>(
  members: Readonly<Record<string, Value>> = {},
  keys: readonly string[],
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(members).filter(([key]) => !keys.includes(key)));
}

/** Runs an action later, without keeping the process alive. If the time is infinite, the action never runs. */
export function inBackground(milliseconds: number, action: () => void): () => void {
  let timer: unknown;
  const wait = (left: number): void => {
    const later = (): void => (left > LONGEST_DELAY ? wait(left - LONGEST_DELAY) : action());
    timer = setTimeout(later, Math.min(left, LONGEST_DELAY));
    (timer as { unref?: () => void }).unref?.();
  };
  if (milliseconds !== Infinity) wait(milliseconds);
  return () => clearTimeout(timer as number);
}
