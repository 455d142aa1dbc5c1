import {
  INTERNAL_ERROR,
  OverloadError,
  RequestCancelledError,
  RequestTimeoutError,
} from "../wire/index.js";
import type { HandlerContext, Session } from "../api/index.js";
import { quiet } from "../ground/index.js";
import { fromStore } from "./from-store.js";
import { keepTrying } from "./keep-trying.js";
import { MemoryTaskStore } from "./memory-task-store.js";
import { RunningTask } from "./running-task.js";
import { isTerminal, type Task } from "./task.js";
import { NO_ROOM, busy, invalidTask } from "./task-errors.js";
import { ANYONE, TaskOwners } from "./task-owners.js";
import type { StoredTask, TaskStore } from "./task-store.js";
import type { TasksOptions } from "./tasks-options.js";

/** All tasks: those that are worked on here, and those that the store has. Gives each only to its owner. */
export class TaskRegister {
  readonly #options: TasksOptions;
  readonly #report: (error: Error) => void;
  readonly #store: TaskStore;
  readonly #owners: TaskOwners;
  readonly #running = new Map<string, RunningTask>();

  constructor(options: TasksOptions, report: (error: Error) => void) {
    this.#options = options;
    this.#report = report;
    this.#store = options.store ?? new MemoryTaskStore();
    this.#owners = new TaskOwners(options.bindToSession ?? true, (owner) => void this.#drop(owner));
  }

  /**
   * Takes a new task, which is to be worked on here.
   * @throws RpcError -32603 when there are too many, UnavailableError when the store fails
   */
  async add(task: Task, context: HandlerContext): Promise<RunningTask> {
    const stored = { task, owner: this.#owners.ownerOf(context), version: 0 };
    this.#assertRoom(stored.owner);
    try {
      await fromStore(() => this.#store.add(stored));
    } catch (error) {
      throw error instanceof OverloadError ? busy("too many tasks are kept") : error;
    }
    this.#log(stored);
    return this.#run(stored, context);
  }

  /** @throws RpcError -32602, which does not tell whether it is another one's */
  async find(taskId: string, context: HandlerContext): Promise<StoredTask> {
    const stored = await fromStore(() => this.#store.get(taskId));
    if (stored?.owner === this.#owners.ownerOf(context)) return stored;
    throw invalidTask("is unknown, or was not kept any longer");
  }

  /**
   * Gives a task when it is over, here or on another instance.
   * @throws RpcError -32602 when it cannot be found; the signal's reason when the peer does not want to know any more
   */
  async settled(taskId: string, context: HandlerContext): Promise<StoredTask> {
    for (;;) {
      const stored = await this.find(taskId, context);
      if (isTerminal(stored.task)) return stored;
      const running = this.#running.get(taskId);
      if (running) await running.streams.serve(context);
      else await pause(stored.task.pollInterval ?? 1000);
      context.signal.throwIfAborted();
    }
  }

  /** @throws RpcError -32602 when it is over already */
  async cancel(taskId: string, context: HandlerContext): Promise<Task> {
    const { task, ...stored } = await this.find(taskId, context);
    const reason = new RequestCancelledError(taskId);
    const running = this.#running.get(taskId);
    if (running) {
      const cancelled = await running.cancel(reason);
      if (cancelled) return cancelled;
    } else if (!isTerminal(task)) {
      const lastUpdatedAt = new Date().toISOString();
      const statusMessage = reason.message;
      const cancelled: Task = { ...task, status: "cancelled", statusMessage, lastUpdatedAt };
      const changed = { ...stored, task: cancelled, version: stored.version + 1 };
      if (await fromStore(() => this.#store.update(changed))) {
        this.#tell(changed, context.session);
        return cancelled;
      }
    }
    throw invalidTask("is over, and cannot be cancelled");
  }

  /** The tasks of who asks, and a name for them that nobody else's list has. */
  async list(context: HandlerContext): Promise<{ tasks: Task[]; owner: string }> {
    const owner = this.#owners.ownerOf(context);
    const stored = owner === ANYONE ? [] : await fromStore(() => this.#store.list(owner));
    return { tasks: stored.map(({ task }) => task), owner };
  }

  /** Stops all that is worked on here. */
  close(): void {
    const reason = new Error("The tasks were closed");
    for (const task of this.#running.values()) task.abandon(reason);
  }

  #run(stored: StoredTask, { session, method }: HandlerContext): RunningTask {
    const { taskId, ttl } = stored.task;
    const task = new RunningTask({
      stored,
      change: (changed) => this.#change(changed, session),
      ended: () => this.#running.delete(taskId),
      expired: () => {
        task.abandon(new RequestTimeoutError(method, ttl ?? Infinity, "the task did not finish"));
        void this.#forget(taskId);
      },
    });
    this.#running.set(taskId, task);
    return task;
  }

  /** Stores a change and tells of it. Never rejects. */
  async #change(stored: StoredTask, session: Session): Promise<boolean> {
    const changed = await this.#update(stored);
    if (changed === undefined) return false;
    this.#tell(changed, session);
    return true;
  }

  #tell(changed: StoredTask, session: Session): void {
    this.#log(changed);
    if (this.#options.notifyStatus ?? true) {
      void quiet(session.notify("notifications/tasks/status", changed.task));
    }
  }

  /**
   * Stores a change, waiting for a store that is away; where there is no room for an outcome, that it failed. Returns
   * what was stored. Never rejects.
   */
  async #update(stored: StoredTask): Promise<StoredTask | undefined> {
    try {
      const attempt = () => this.#store.update(stored);
      return (await keepTrying(attempt, this.#report)) ? stored : undefined;
    } catch (error) {
      this.#report(error as Error);
      const isTooLarge = error instanceof OverloadError && stored.outcome !== undefined;
      return isTooLarge && stored.outcome !== TOO_LARGE
        ? this.#update(tooLarge(stored))
        : undefined;
    }
  }

  #log({ task, owner }: StoredTask): void {
    try {
      this.#options.onstatus?.(task, owner);
    } catch (error) {
      this.#report(error as Error);
    }
  }

  /** Ends all tasks of an owner who is gone. */
  async #drop(owner: string): Promise<void> {
    const reason = new Error("The session is over");
    for (const task of this.#running.values()) if (task.owner === owner) task.abandon(reason);
    try {
      for (const { task } of await this.#store.list(owner)) await this.#store.delete(task.taskId);
    } catch (error) {
      this.#report(error as Error);
    }
  }

  async #forget(taskId: string): Promise<void> {
    try {
      await this.#store.delete(taskId);
    } catch (error) {
      this.#report(error as Error);
    }
  }

  #assertRoom(owner: string): void {
    const { maxRunning = 1000, maxRunningPerOwner = 100 } = this.#options;
    const own = [...this.#running.values()].filter((task) => task.owner === owner);
    if (this.#running.size >= maxRunning || own.length >= maxRunningPerOwner) {
      throw busy("too many tasks are worked on");
    }
  }
}

const TOO_LARGE = {
  error: { code: INTERNAL_ERROR, message: NO_ROOM },
};

function tooLarge({ task, ...stored }: StoredTask): StoredTask {
  const { message } = TOO_LARGE.error;
  return {
    ...stored,
    task: { ...task, status: "failed", statusMessage: message },
    outcome: TOO_LARGE,
  };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
