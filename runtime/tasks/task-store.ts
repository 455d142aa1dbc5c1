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
  /** Refusals of questions that the handler has not taken yet, by the keys of the questions. */
  readonly refusals?: Readonly<Record<string, ErrorObject>>;
  /** Time at which the task has lost its worker unless that says otherwise, ISO 8601; stores of one process need none. */
  readonly leasedUntil?: string;
}

/**
 * Store of tasks; it forgets a task when its `ttl` is over. An error that it throws reaches the
 * peer as an `UnavailableError`, over HTTP with status 503, unless it is an `RpcError`.
 *
 * Several instances may share one store: each can list all tasks, fetch their results, pass on their questions and answers,
 * and cancel them. A task's handler runs on the instance that created it; if that has gone, the task fails.
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

/** Lease of the process that works on a task: renews it three times per lease, or more often while that is useful. */
export class Lease {
  readonly #milliseconds: number;
  readonly #renew: (leasedUntil: string) => Promise<void>;
  readonly #pause: () => number;
  #cancel: () => void = () => {};
  #isOver = false;

  /**
   * @param renew - stores the time until which the lease lasts, and looks for what others have changed
   * @param pause - longest wait before the next renewal, in milliseconds
   */
  constructor(
    milliseconds: number,
    renew: (leasedUntil: string) => Promise<void>,
    pause: () => number,
  ) {
    this.#milliseconds = milliseconds;
    this.#renew = renew;
    this.#pause = pause;
    this.schedule();
  }

  /** Plans the next renewal in place of the one that was planned. */
  schedule(): void {
    if (this.#isOver) return;
    this.#cancel();
    const wait = Math.min(this.#milliseconds / 3, this.#pause());
    this.#cancel = inBackground(wait, () => {
      void this.#renew(leaseEnd(this.#milliseconds)).then(() => this.schedule());
    });
  }

  stop(): void {
    this.#isOver = true;
    this.#cancel();
  }
}

/** Time at which a lease ends that begins now, ISO 8601. */
export function leaseEnd(milliseconds: number): string {
  return new Date(Date.now() + milliseconds).toISOString();
}

/** Status of a task with open questions, or without. */
export function statusWith(questions: object): "input_required" | "working" {
  return Object.keys(questions).length > 0 ? "input_required" : "working";
}

/** The members without some of them. */
export function without<Value>(
  members: Readonly<Record<string, Value>> = {},
  keys: readonly string[],
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(members).filter(([key]) => !keys.includes(key)));
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
