import {
  isObject,
  LifecycleError,
  type Method,
  type Revision,
  RpcError,
  SessionMovedError,
} from "../wire/index.js";
import { checkedPageSize, Cursors } from "../features/index.js";
import type {
  AnyCall,
  AnyHandler,
  AnyMiddleware,
  Feature,
  FeatureHost,
  HandlerContext,
  Session,
} from "../api/index.js";
import { internalError } from "../engine/index.js";
import { pause, quiet } from "../ground/index.js";
import { withRelatedTask } from "../rules/index.js";
import { type CallHost, runCall } from "./calls/call-run.js";
import { withoutQuestion } from "./calls/task-work.js";
import { requestOf } from "./request-as-task.js";
import { RunningTask } from "./running-task.js";
import { invalidTask, isTerminal, type Task } from "./task.js";
import { fromStore, type TaskChange, type TaskRecordsOptions } from "./task-records.js";
import { type Asker, isTaskTools, TaskRegister, type TaskTools } from "./task-register.js";
import { ANYONE, ownerByAuth, type StoredTask } from "./task-store.js";

/** The options of {@link Tasks}. Times are in milliseconds. */
export interface TasksOptions extends TaskRecordsOptions {
  /**
   * The methods of requests that can become tasks; they are declared as a capability. Default: `tools/call`. For a
   * client, pass `sampling/createMessage`, `elicitation/create`, or both.
   */
  readonly requests?: readonly string[] | undefined;
  /**
   * True if a peer may list all its tasks. Set it if peers are authenticated; otherwise, a task's owner is only a
   * session. Default: false.
   */
  readonly list?: boolean | undefined;
  /** The maximum number of tasks on one page of the list. Default: 100. */
  readonly pageSize?: number | undefined;
  /** Creates the list's cursors. Default: an object with a random key. */
  readonly cursors?: Cursors | undefined;
  /**
   * True if an unauthenticated peer's task ends with its session and is invisible to other sessions. If false, any peer
   * that knows a task's id can access the task. Default: true for a peer with a session, false for one without.
   */
  readonly bindToSession?: boolean | undefined;
}

/**
 * Runs requests as tasks, for servers and clients (MCP: tasks, experimental). A request that contains `task` is
 * answered with a task immediately, and its handler runs afterwards. The feature also handles the requests about tasks.
 * Handlers stay unchanged; their requests to the peer wait until the peer fetches the result.
 */
export class Tasks implements Feature {
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  readonly middleware: readonly AnyMiddleware[];
  readonly #options: TasksOptions;
  readonly #requests: readonly string[];
  readonly #register: TaskRegister<RunningTask>;
  readonly #cursors: Cursors;
  readonly #pageSize: number;
  /** Questions from other processes' tasks that have been forwarded by requests for the tasks' results. */
  readonly #passedOn = new Map<string, PassedOn>();
  readonly #sessionOwners = new WeakMap<Session, string>();
  #host: FeatureHost | undefined;
  #tools: TaskTools | undefined;

  /** @throws TypeError if the page size is not a positive integer */
  constructor(options: TasksOptions = {}) {
    this.#options = options;
    this.#requests = options.requests ?? ["tools/call"];
    this.#register = new TaskRegister(options, {
      ownerOf: (asker) => this.#ownerOf(asker),
      notify: this.#notify,
      work: (stored, host, context) => new RunningTask(stored, host, context),
      report: this.#report,
    });
    this.#cursors = options.cursors ?? new Cursors();
    this.#pageSize = checkedPageSize(options.pageSize) ?? 100;
    this.middleware = [this.#around];
    this.handlers = {
      "tasks/get": async (params, context) =>
        (await this.#register.find((params as TaskParams).taskId, context)).task,
      "tasks/result": (params, context) => this.#result(params as TaskParams, context),
      "tasks/cancel": (params, context) => this.#cancel(params as TaskParams, context),
      ...(options.list
        ? { "tasks/list": (params, context) => this.#list(params as PageParams, context) }
        : {}),
    };
  }

  /** Declares the requests that can become tasks, if the revision has tasks. */
  readonly capabilities = ({ traits }: Revision): object => {
    if (!traits.tasks) return {};
    const requests: Record<string, Record<string, object>> = {};
    for (const method of this.#requests) {
      const [group = "", name = ""] = method.split("/");
      requests[group] = { ...requests[group], [name]: {} };
    }
    return { tasks: { requests } };
  };

  /** @throws TypeError if the feature is already part of a client or server */
  attach(host: FeatureHost): void {
    if (this.#host) throw new TypeError("This feature already belongs to a client or server");
    this.#host = host;
    this.#tools = host.features.find(isTaskTools);
  }

  /** Stops all tasks that run in this process. Call it before the process ends. */
  close(): void {
    this.#register.close();
  }

  readonly #around: AnyMiddleware = (call, next) => {
    const row = this.#rowOfTask(call);
    if (!row) return next();
    const { name, task } = call.params as TaskRequest;
    const rule = this.#tools?.taskRule(name, call.context);
    // If the tool does not support tasks, the call continues as usual, and the tool itself rejects it.
    if (this.#tools && (rule?.support ?? "forbidden") === "forbidden") return next();
    const host: CallHost = {
      start: (...given) => this.#register.start(...given),
      created: (stored) => ({ task: stored.task }),
      checksContent: this.#host!.checksContent,
      report: this.#report,
    };
    return runCall({ call, next, row, ttl: task.ttl ?? rule?.ttl }, host, 0);
  };

  #rowOfTask({ kind, method, params, context }: AnyCall): Method | undefined {
    const isAsked = kind === "request" && isObject(params) && params["task"] !== undefined;
    if (!isAsked || !this.#requests.includes(method)) return undefined;
    const row = context.session.revision.methods.get(method);
    return row?.taskResult && row;
  }

  async #cancel({ taskId }: TaskParams, context: HandlerContext): Promise<Task> {
    const cancelled = await this.#register.cancel(taskId, context);
    if (cancelled) return cancelled.task;
    throw invalidTask("has ended, and cannot be cancelled");
  }

  async #list(params: PageParams, context: HandlerContext): Promise<object> {
    const owner = this.#ownerOf(context);
    const { store } = this.#register.records;
    const stored = owner === ANYONE ? [] : await fromStore(() => store.list(owner));
    const { items, nextCursor } = await this.#cursors.paginate({
      list: `tasks/list ${owner}`,
      items: stored.map(({ task }) => task),
      keyOf: ({ taskId }) => taskId,
      pageSize: this.#pageSize,
      cursor: params?.cursor,
    });
    return nextCursor === undefined ? { tasks: items } : { tasks: items, nextCursor };
  }

  async #result({ taskId }: TaskParams, context: HandlerContext): Promise<object> {
    const { outcome } = await this.#settled(taskId, context);
    if (outcome === undefined) throw invalidTask("was cancelled, and has no result");
    if ("result" in outcome) return withRelatedTask(outcome.result, { taskId });
    const { code, message, data } = outcome.error;
    throw new RpcError(code, message, data);
  }

  /** Waits until a task has ended, here or on another instance. */
  async #settled(taskId: string, context: HandlerContext): Promise<StoredTask> {
    const passed = this.#passedOn.get(taskId) ?? { keys: new Set(), waiting: 0 };
    this.#passedOn.set(taskId, passed);
    passed.waiting += 1;
    try {
      for (;;) {
        const stored = await this.#register.find(taskId, context);
        if (isTerminal(stored.task)) return stored;
        const running = this.#register.running.get(taskId);
        if (running) await running.streams.serve(context);
        else {
          this.#passOn(stored, passed.keys, context);
          await pause(stored.task.pollInterval ?? 1000);
        }
        context.signal.throwIfAborted();
      }
    } finally {
      passed.waiting -= 1;
      if (passed.waiting === 0) this.#passedOn.delete(taskId);
    }
  }

  /**
   * Sends the questions from another process's task on the stream of a request for its result. Each question is sent
   * once.
   */
  #passOn(
    { task: { taskId }, questions = {} }: StoredTask,
    passed: Set<string>,
    context: HandlerContext,
  ): void {
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
    await this.#register.records.change(taskId, change, (stored, before) =>
      this.#notify(stored, before, session),
    );
  }

  /**
   * Notifies a session of changes to a task's status and status message. Clients of these revisions see no other
   * changes.
   */
  readonly #notify = (
    { task }: StoredTask,
    { task: before }: StoredTask,
    session: Session,
  ): void => {
    const isSame = task.status === before.status && task.statusMessage === before.statusMessage;
    if (isSame) return;
    void quiet(session.notify("notifications/tasks/status", task));
  };

  /**
   * Returns the owner of a caller's tasks: the caller's principal or, failing that, its session. All unauthenticated
   * callers whose tasks are not bound to a session share one owner (MCP: tasks, access control).
   */
  #ownerOf({ auth, session }: Asker): string {
    const { bindToSession = isIntroduced(session) } = this.#options;
    if (auth || !bindToSession) return ownerByAuth({ auth });
    const known = this.#sessionOwners.get(session);
    if (known !== undefined) return known;
    const owner = `session ${session.id ?? crypto.randomUUID()}`;
    this.#sessionOwners.set(session, owner);
    void session.closed.then((error) => {
      if (!(error instanceof SessionMovedError)) return this.#drop(owner);
    });
    return owner;
  }

  async #drop(owner: string): Promise<void> {
    const { running, records } = this.#register;
    const reason = new Error("The session has ended");
    for (const task of running.values()) if (task.owner === owner) task.abandon(reason);
    try {
      for (const { task } of await records.store.list(owner))
        await records.store.delete(task.taskId);
    } catch (error) {
      this.#report(error as Error);
    }
  }

  readonly #report = (error: Error): void => this.#host?.report(error);
}

/** False for the session of a single request, whose sender never sent `initialize`. */
function isIntroduced({ id, peer }: Session): boolean {
  return id !== undefined || peer.info !== undefined;
}

interface PassedOn {
  readonly keys: Set<string>;
  waiting: number;
}

interface TaskParams {
  readonly taskId: string;
}

interface TaskRequest {
  readonly name?: unknown;
  readonly task: { readonly ttl?: number };
}

type PageParams = { readonly cursor?: string } | undefined;
