import { tally } from "../ground/index.js";
import { INTERNAL_ERROR, OverloadError, RpcError, UnavailableError } from "../wire/index.js";
import { MemoryTaskStore } from "./memory-task-store.js";
import { busy, invalidTask, isTerminal, newTask, type Task, type TaskTimes } from "./task.js";
import { ANYONE, inBackground, leaseEnd, type StoredTask, type TaskStore } from "./task-store.js";

/** The options shared by the protocol's tasks and the extension's tasks. Times are in milliseconds. */
export interface TaskRecordsOptions extends TaskTimes {
  /** The task store. Default: a store in memory. */
  readonly store?: TaskStore | undefined;
  /** The maximum number of tasks that run at once in this process. Default: 1000. */
  readonly maxRunning?: number | undefined;
  /** The maximum number of running tasks per owner. Default: 100. */
  readonly maxRunningPerOwner?: number | undefined;
  /**
   * The time after which a task fails if its process has ended and the store is shared, in milliseconds. Default:
   * 15,000.
   */
  readonly lease?: number | undefined;
  /** Called with every new task, and after each change to its status. Intended for logs. */
  readonly onstatus?: ((task: Task, owner: string) => void) | undefined;
}

/** The pause before the second attempt, in milliseconds. It doubles with each further failure. */
const FIRST_PAUSE = 100;
/** The maximum pause between attempts, in milliseconds. */
const LONGEST_PAUSE = 5000;
/** The total time for all attempts, in milliseconds. */
const PATIENCE = 600_000;

/** The maximum number of attempts to change a task that others change at the same time. */
const MAX_ATTEMPTS = 100;

export type TaskChange = Partial<
  Pick<StoredTask, "outcome" | "questions" | "answers" | "refusals" | "leasedUntil">
> & {
  readonly task?:
    { readonly status?: Task["status"]; readonly statusMessage?: string | undefined } | undefined;
};

/** Receives a task as it is after and before a change that a client can see. */
export type NotifyTask = (stored: StoredTask, before: StoredTask) => void;

/** Creates a change to a stored task, or returns undefined if there is nothing to change. */
export type ChangeTask = (stored: StoredTask) => TaskChange | undefined;

export function failure(message: string): TaskChange {
  return {
    task: { status: "failed", statusMessage: message },
    outcome: { error: { code: INTERNAL_ERROR, message } },
    questions: {},
    answers: {},
    refusals: {},
  };
}

const LOST = /* @__PURE__ */ failure("Internal error: the server that worked on the task is gone");
const TOO_LARGE = /* @__PURE__ */ failure("Internal error: there is no room for the result");

/** Tasks in a store, with a count of those that are running in this process. */
export class TaskRecords {
  readonly store: TaskStore;
  readonly #options: TaskRecordsOptions;
  readonly #report: (error: Error) => void;
  readonly #runningOf = tally<string>();
  #running = 0;

  /** @param report - called with errors that do not reach any caller */
  constructor(options: TaskRecordsOptions, report: (error: Error) => void) {
    this.store = options.store ?? new MemoryTaskStore();
    this.#options = options;
    this.#report = report;
  }

  /**
   * Stores a new task that runs in this process until {@link release}.
   * @throws RpcError -32603 if there are too many tasks
   */
  async create(owner: string, ttl: number | undefined): Promise<StoredTask> {
    const { maxRunning = 1000, maxRunningPerOwner = 100 } = this.#options;
    const isFull = owner !== ANYONE && this.#runningOf.of(owner) >= maxRunningPerOwner;
    if (isFull || this.#running >= maxRunning) throw busy("too many tasks are running");
    const task = newTask(ttl, this.#options);
    const { lease } = this;
    const leased = lease === undefined ? {} : { leasedUntil: leaseEnd(lease) };
    const stored: StoredTask = { task, owner, version: 0, ...leased };
    // The task is counted before the store contains it, so that calls that arrive in the meantime are refused.
    this.#count(owner, 1);
    try {
      await fromStore(() => this.store.add(stored));
    } catch (error) {
      this.#count(owner, -1);
      throw error instanceof OverloadError ? busy("too many tasks are stored") : error;
    }
    this.#log(stored);
    return stored;
  }

  release({ owner }: StoredTask): void {
    this.#count(owner, -1);
  }

  /**
   * The time for which a task counts as running without renewal, in milliseconds, or undefined if the store is not
   * shared.
   */
  get lease(): number | undefined {
    return this.store.isShared ? (this.#options.lease ?? 15_000) : undefined;
  }

  /**
   * Finds an owner's task. Marks the task as failed if its process no longer exists.
   *
   * @throws RpcError -32602, which is the same for unknown tasks and other owners' tasks
   */
  async find(taskId: string, owner: string, notify: NotifyTask): Promise<StoredTask> {
    const stored = await fromStore(() => this.store.get(taskId));
    if (stored?.owner !== owner) throw invalidTask("is unknown, or no longer stored");
    const { leasedUntil, task } = stored;
    const isLost = leasedUntil !== undefined && Date.parse(leasedUntil) < Date.now();
    if (!isLost || isTerminal(task)) return stored;
    const change: ChangeTask = (now) => (now.leasedUntil === leasedUntil ? LOST : undefined);
    const lost = await this.changeNow(taskId, change, notify);
    return lost ?? (await fromStore(() => this.store.get(taskId))) ?? stored;
  }

  /**
   * Changes a task on behalf of a request. Throws if the store is unavailable.
   *
   * @returns undefined if the task is unknown or has ended
   */
  changeNow(
    taskId: string,
    change: ChangeTask,
    notify: NotifyTask,
  ): Promise<StoredTask | undefined> {
    return fromStore(() => this.#change(taskId, change, notify));
  }

  /**
   * Changes a task on behalf of the process that runs it. Waits for an unavailable store, and makes the task fail if
   * there is no room for its outcome. Never rejects.
   */
  async change(
    taskId: string,
    change: ChangeTask,
    notify: NotifyTask,
  ): Promise<StoredTask | undefined> {
    let made: TaskChange | undefined;
    try {
      const attempt = () => this.#change(taskId, (now) => (made = change(now)), notify);
      return await keepTrying(attempt, this.#report);
    } catch (error) {
      this.#report(error as Error);
      const isTooLarge = error instanceof OverloadError && made?.outcome !== undefined;
      return isTooLarge && made !== TOO_LARGE
        ? this.change(taskId, () => TOO_LARGE, notify)
        : undefined;
    }
  }

  async #change(
    taskId: string,
    change: ChangeTask,
    notify: NotifyTask,
  ): Promise<StoredTask | undefined> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const stored = await this.store.get(taskId);
      if (stored === undefined || isTerminal(stored.task)) return undefined;
      const changed = change(stored);
      if (changed === undefined) return stored;
      const isVisible = changed.task !== undefined || changed.questions !== undefined;
      const { statusMessage, ...task } = {
        ...stored.task,
        ...changed.task,
        ...(isVisible && { lastUpdatedAt: new Date().toISOString() }),
      };
      const next: StoredTask = {
        ...stored,
        ...changed,
        task: { ...task, ...(statusMessage !== undefined && { statusMessage }) },
        version: stored.version + 1,
      };
      if (!(await this.store.update(next))) continue;
      if (isVisible) {
        this.#log(next);
        notify(next, stored);
      }
      return next;
    }
    throw new Error(`The task ${taskId} keeps changing`);
  }

  #count(owner: string, change: 1 | -1): void {
    this.#running += change;
    this.#runningOf.add(owner, change);
  }

  #log({ task, owner }: StoredTask): void {
    try {
      this.#options.onstatus?.(task, owner);
    } catch (error) {
      this.#report(error as Error);
    }
  }
}

export async function fromStore<Value>(work: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OverloadError || error instanceof RpcError) throw error;
    throw new UnavailableError("the store of tasks", error);
  }
}

async function keepTrying<Value>(
  work: () => Value | Promise<Value>,
  report: (error: Error) => void,
): Promise<Value> {
  const start = performance.now();
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    try {
      return await work();
    } catch (error) {
      const isFinal = error instanceof OverloadError || error instanceof RpcError;
      if (isFinal || performance.now() - start > PATIENCE) throw error;
      if (pause === FIRST_PAUSE) report(error as Error);
    }
    await new Promise<void>((resolve) => inBackground(pause, resolve));
  }
}
