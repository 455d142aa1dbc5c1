import type { AnyCall, HandlerContext, Session } from "../api/index.js";
import type { Cursors } from "../features/index.js";
import { pause, quiet } from "../ground/index.js";
import {
  LifecycleError,
  RequestCancelledError,
  RpcError,
  SessionMovedError,
} from "../wire/index.js";
import { internalError } from "../engine/index.js";
import { withRelatedTask } from "../rules/index.js";
import { requestOf } from "./request-as-task.js";
import { withoutQuestion } from "./calls/task-work.js";
import { RunningTask } from "./running-task.js";
import { invalidTask, isTerminal, type Task } from "./task.js";
import {
  fromStore,
  type NotifyTask,
  type TaskChange,
  TaskRecords,
  type TaskRecordsOptions,
} from "./task-records.js";
import { ANYONE, ownerByAuth, type StoredTask } from "./task-store.js";

/** Decides which tools can be called as tasks; `Tools` implements it. */
export interface TaskAdmission {
  /** @throws RpcError if the call may not become a task */
  admitTask(params: unknown, context: HandlerContext): void;
}

/** Options of tasks. Times are in milliseconds. */
export interface TasksOptions extends TaskRecordsOptions {
  /**
   * The requests that can become tasks, which are declared. Default: `tools/call`; for a client,
   * pass `sampling/createMessage`, `elicitation/create`, or both.
   */
  readonly requests?: readonly string[] | undefined;
  /**
   * Decides for each tool whether it may be called as a task. Default: the `Tools` passed with it;
   * without those, every tool may be.
   */
  readonly tools?: TaskAdmission | undefined;
  /**
   * True if the peer may list all its tasks. Set it if peers are authenticated; otherwise an owner
   * is only a session. Default: false.
   */
  readonly list?: boolean | undefined;
  /** Tasks on one page of the list. Default: 100. */
  readonly pageSize?: number | undefined;
  /** Creates the cursors of the list. Default: its own. */
  readonly cursors?: Cursors | undefined;
  /**
   * True if a task of an unauthenticated peer ends with its session and is invisible to other
   * sessions. Otherwise any peer that knows the id can access it: for servers without sessions.
   * Default: true.
   */
  readonly bindToSession?: boolean | undefined;
  /** True to notify the peer of status changes. Peers must not rely on that. Default: true. */
  readonly notifyStatus?: boolean | undefined;
  /**
   * Text that the model receives while the task runs (`model-immediate-response`). Default: none.
   */
  readonly immediateResponse?: ((call: AnyCall) => string | undefined) | undefined;
}

/** Tasks of a client or server: those that run in this process, and those in the store, each for its owner only. */
export class TaskRegister {
  readonly #options: TasksOptions;
  readonly #report: (error: Error) => void;
  readonly #records: TaskRecords;
  readonly #running = new Map<string, RunningTask>();
  /** Keys of the questions that this process has forwarded for tasks of other processes. */
  readonly #passedOn = new Map<string, Set<string>>();
  readonly #sessionOwners = new WeakMap<Session, string>();

  constructor(options: TasksOptions, report: (error: Error) => void) {
    this.#options = options;
    this.#report = report;
    this.#records = new TaskRecords(options, report);
  }

  /**
   * Stores a new task, which runs in this process.
   * @throws RpcError -32603 if there are too many, UnavailableError if the store fails
   */
  async add(ttl: number | undefined, context: HandlerContext): Promise<[Task, RunningTask]> {
    const { session } = context;
    const stored = await this.#records.create(this.#ownerOf(context), ttl);
    const { taskId } = stored.task;
    const running = new RunningTask(stored, {
      lease: this.#records.lease,
      change: (change) => this.#records.change(taskId, change, this.#notifierOf(session)),
      ended: () => {
        this.#running.delete(taskId);
        this.#records.release(stored);
      },
      expired: () => void this.#reporting(() => this.#records.store.delete(taskId)),
    });
    this.#running.set(taskId, running);
    return [stored.task, running];
  }

  /** @throws RpcError -32602, the same for unknown tasks and those of other owners */
  find(taskId: string, context: HandlerContext): Promise<StoredTask> {
    const notify = this.#notifierOf(context.session);
    return this.#records.find(taskId, this.#ownerOf(context), notify);
  }

  /**
   * Waits until a task has ended, here or on another instance.
   * @throws RpcError -32602 if it cannot be found; the signal's reason if the peer cancels the request
   */
  async settled(taskId: string, context: HandlerContext): Promise<StoredTask> {
    try {
      for (;;) {
        const stored = await this.find(taskId, context);
        if (isTerminal(stored.task)) return stored;
        const running = this.#running.get(taskId);
        if (running) await running.streams.serve(context);
        else {
          this.#passOn(stored, context);
          await pause(stored.task.pollInterval ?? 1000);
        }
        context.signal.throwIfAborted();
      }
    } finally {
      if (context.signal.aborted === false) this.#passedOn.delete(taskId);
    }
  }

  /** Sends the questions of a task of another process on the stream of a request for its result, each once. */
  #passOn({ task: { taskId }, questions = {} }: StoredTask, context: HandlerContext): void {
    let passed = this.#passedOn.get(taskId);
    if (passed === undefined) this.#passedOn.set(taskId, (passed = new Set()));
    for (const [key, { method, params }] of Object.entries(questions)) {
      if (passed.has(key)) continue;
      passed.add(key);
      const { signal } = context;
      const marked = withRelatedTask(params, { taskId });
      const sent = requestOf(context, method, marked as object, { signal });
      void sent.then(
        (answer) => this.#settle(taskId, key, { answers: { [key]: answer } }, context.session),
        (error: unknown) => {
          passed.delete(key);
          if (signal.aborted || error instanceof LifecycleError) return;
          const refusal = error instanceof RpcError ? error : internalError();
          const refusals = { [key]: refusal.toJSON() };
          return this.#settle(taskId, key, { refusals }, context.session);
        },
      );
    }
  }

  /**
   * Stores the answer to a question, or its refusal, for the process that runs the task. Never
   * rejects.
   */
  async #settle(
    taskId: string,
    key: string,
    { answers, refusals }: Pick<StoredTask, "answers" | "refusals">,
    session: Session,
  ): Promise<void> {
    const change = (now: StoredTask): TaskChange | undefined =>
      Object.hasOwn(now.questions ?? {}, key)
        ? {
            ...withoutQuestion(now, key),
            answers: { ...now.answers, ...answers },
            refusals: { ...now.refusals, ...refusals },
          }
        : undefined;
    await this.#records.change(taskId, change, this.#notifierOf(session));
  }

  /** @throws RpcError -32602 if it has ended already */
  async cancel(taskId: string, context: HandlerContext): Promise<Task> {
    await this.find(taskId, context);
    const reason = new RequestCancelledError(taskId);
    const change = () =>
      ({ task: { status: "cancelled", statusMessage: reason.message } }) as const;
    const cancelled = await this.#records.changeNow(
      taskId,
      change,
      this.#notifierOf(context.session),
    );
    if (cancelled) this.#running.get(taskId)?.abandon(reason);
    if (cancelled) return cancelled.task;
    throw invalidTask("has ended, and cannot be cancelled");
  }

  /** Tasks of the caller, and a name that identifies the caller's list. */
  async list(context: HandlerContext): Promise<{ tasks: Task[]; owner: string }> {
    const owner = this.#ownerOf(context);
    const stored = owner === ANYONE ? [] : await fromStore(() => this.#records.store.list(owner));
    return { tasks: stored.map(({ task }) => task), owner };
  }

  /** Stops all tasks that run in this process. */
  close(): void {
    const reason = new Error("The tasks were closed");
    for (const task of this.#running.values()) task.abandon(reason);
  }

  /**
   * Returns the function that notifies a session of changes of the status and its message; clients
   * of these revisions see no other changes.
   */
  #notifierOf(session: Session): NotifyTask {
    return ({ task }, { task: before }) => {
      const isSame = task.status === before.status && task.statusMessage === before.statusMessage;
      if (isSame || this.#options.notifyStatus === false) return;
      void quiet(session.notify("notifications/tasks/status", task));
    };
  }

  /** Owner of the tasks of a caller: its principal, otherwise its session (MCP: tasks, access control). */
  #ownerOf({ auth, session }: Pick<HandlerContext, "auth" | "session">): string {
    if (auth || this.#options.bindToSession === false) return ownerByAuth({ auth });
    const known = this.#sessionOwners.get(session);
    if (known !== undefined) return known;
    const owner = `session ${session.id ?? crypto.randomUUID()}`;
    this.#sessionOwners.set(session, owner);
    void session.closed.then((error) => {
      if (!(error instanceof SessionMovedError)) return this.#drop(owner);
    });
    return owner;
  }

  /** Ends and deletes all tasks of a session that has ended. */
  async #drop(owner: string): Promise<void> {
    const reason = new Error("The session has ended");
    for (const task of this.#running.values()) if (task.owner === owner) task.abandon(reason);
    await this.#reporting(async () => {
      const { store } = this.#records;
      for (const { task } of await store.list(owner)) await store.delete(task.taskId);
    });
  }

  async #reporting(work: () => void | Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#report(error as Error);
    }
  }
}
