import type { HandlerContext, InputRequest } from "../api/index.js";
import { LONGEST_DELAY } from "../ground/index.js";
import type { ErrorObject } from "../wire/index.js";
import type { Task } from "./task.js";

/** Outcome of a task: exactly the response that its request would have had. Plain JSON. */
export type TaskOutcome =
  { readonly result: Readonly<Record<string, unknown>> } | { readonly error: ErrorObject };

/**
 * Task with everything that is stored with it. Plain JSON and immutable: each change creates a new
 * one.
 */
export interface StoredTask {
  readonly task: Task;
  /** Party that may access the task; opaque to the store. Empty if any client that knows the id may access it. */
  readonly owner: string;
  /** Number of changes so far: 0 for a new task. */
  readonly version: number;
  /** Response to the request; absent until the task has ended, and if the task was cancelled. */
  readonly outcome?: TaskOutcome;
  /** Unanswered questions, by key. */
  readonly questions?: Readonly<Record<string, InputRequest>>;
  /** Answers that the handler has not received yet, by the keys of the questions. */
  readonly answers?: Readonly<Record<string, unknown>>;
  /** Refusals that the handler has not received yet, by the keys of the questions. */
  readonly refusals?: Readonly<Record<string, ErrorObject>>;
  /**
   * Time at which the task counts as abandoned unless its process renews the lease, ISO 8601; not
   * needed by stores of one process.
   */
  readonly leasedUntil?: string;
}

/**
 * Store of tasks, which removes each task after its `ttl`. An error that it throws reaches the peer as an
 * `UnavailableError`, over HTTP with status 503, unless it is an `RpcError` or an `OverloadError`.
 *
 * Several instances may share one store. Each of them can list all tasks, fetch their results, forward their
 * questions and answers, and cancel them. A task's handler runs on the instance that created the task; if that
 * instance has gone, the task fails.
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
   * @param stored - the new state, whose version is one greater than that of the task it replaces
   * @returns false, without any change, if the task does not exist, has ended, or has another version by now
   * @throws OverloadError if there is no room for the outcome; the task then fails
   */
  update(stored: StoredTask): boolean | Promise<boolean>;

  /** Returns the tasks of one owner, the oldest first. */
  list(owner: string): readonly StoredTask[] | Promise<readonly StoredTask[]>;

  delete(taskId: string): void | Promise<void>;
}

/** Owner of tasks that any client may access if it knows their ids. */
export const ANYONE = "";

export function ownerByAuth({ auth }: Pick<HandlerContext, "auth">): string {
  return auth ? `principal ${auth.principal}` : ANYONE;
}

export interface Lease {
  /** Schedules the next renewal, which replaces the scheduled one. */
  schedule(): void;
  stop(): void;
}

/**
 * Starts a lease, which is renewed three times per period, or more often if `pause` is shorter.
 *
 * @param renew - stores the time until which the lease lasts, and reads the changes by others
 * @param pause - longest wait before the next renewal, in milliseconds
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

/** Runs an action later, without keeping the process alive; never, if the time is infinite. */
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
