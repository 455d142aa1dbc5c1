import type { Feature, HandlerContext } from "@mcp-codegen/runtime";
import {
  isTerminal,
  RELATED_TASK_META_KEY,
  type RelatedTaskMetadata,
  type Request,
  type Result,
  type Task,
  type ToolAnnotations,
} from "../../shared/index.js";
import {
  type Ask,
  type Callback,
  invalidParams,
  optionsOf,
  requestThrough,
} from "../../shared/internal/index.js";
import type { ArgumentsSchema, CallbackWith } from "../adapted-callbacks.js";
import type { McpServer } from "../mcp-server.js";
import type { RegisteredTool } from "../registrations.js";
import { nativeOf, type ServerContext } from "../server-context.js";
import type { CreateTaskOptions, TaskStore } from "./task-stores.js";

/** The task store that handlers receive, limited to their request's session. It notifies the client of changes. */
export interface RequestTaskStore {
  createTask(options: CreateTaskOptions): Promise<Task>;
  /**
   * Returns a task.
   * @throws ProtocolError -32602 if the task is unknown
   */
  getTask(taskId: string): Promise<Task>;
  storeTaskResult(taskId: string, status: "completed" | "failed", result: Result): Promise<void>;
  getTaskResult(taskId: string): Promise<Result>;
  updateTaskStatus(taskId: string, status: Task["status"], statusMessage?: string): Promise<void>;
  listTasks(cursor?: string): Promise<{ tasks: Task[]; nextCursor?: string }>;
}

/** The context of a handler that creates a task. */
export type CreateTaskRequestHandlerExtra = ServerContext & {
  taskStore: RequestTaskStore;
  /** The time for which the client wants the task to be stored, in milliseconds. */
  taskRequestedTtl?: number | null | undefined;
};

/** The context of a task's handler. */
export type TaskRequestHandlerExtra = CreateTaskRequestHandlerExtra & { taskId: string };

type Handler<Outcome, Context, Schema> = Schema extends ArgumentsSchema
  ? (
      args: Parameters<CallbackWith<Outcome, Schema>>[0],
      extra: Context,
    ) => Outcome | Promise<Outcome>
  : (extra: Context) => Outcome | Promise<Outcome>;

/** A function that creates the task for a call in the store, starts the work, and returns the task. */
export type CreateTaskRequestHandler<
  Outcome,
  Schema extends ArgumentsSchema | undefined = undefined,
> = Handler<Outcome, CreateTaskRequestHandlerExtra, Schema>;

/** A function that handles a request for a task's state or result. */
export type TaskRequestHandler<
  Outcome,
  Schema extends ArgumentsSchema | undefined = undefined,
> = Handler<Outcome, TaskRequestHandlerExtra, Schema>;

/** The handlers of a tool that runs as a task. */
export interface ToolTaskHandler<Schema extends ArgumentsSchema | undefined = undefined> {
  createTask: CreateTaskRequestHandler<{ task: Task }, Schema>;
  /** Returns the task's state. Called only for clients that call the tool without a task. */
  getTask: TaskRequestHandler<Task, Schema>;
  /** Returns the task's result. Called only for clients that call the tool without a task. */
  getTaskResult: TaskRequestHandler<Result, Schema>;
}

/** Declares whether clients can or must call a tool as a task. */
export interface TaskToolExecution {
  /** Controls calls without a task: `optional` permits them. Default: `required`. */
  taskSupport?: "optional" | "required" | undefined;
}

/** The definition of a tool that runs as a task. */
export interface TaskToolConfig<Input extends ArgumentsSchema | undefined> {
  title?: string | undefined;
  description?: string | undefined;
  inputSchema?: Input;
  outputSchema?: ArgumentsSchema | undefined;
  annotations?: ToolAnnotations | undefined;
  execution?: TaskToolExecution | undefined;
  _meta?: Record<string, unknown> | undefined;
}

type AnyHandlers = Record<keyof ToolTaskHandler, (...args: unknown[]) => Promise<unknown>>;

interface WaitingRequest {
  send(context: { readonly request: unknown }): void;
}

const DEFAULT_PAUSE = 1000;

/**
 * Tools that create tasks in a store provided by the program, like `experimental.tasks` in version 1. Clients can call
 * them as tasks if their revision has tasks; otherwise, a call lasts until the task has ended.
 */
export class ExperimentalMcpServerTasks {
  /** Handles task requests. Pass it in the option `features`. Undefined if there is no store. */
  readonly feature: Feature | undefined;
  private readonly _store: TaskStore | undefined;
  private readonly _server: () => McpServer;
  private readonly _waiting = new Map<string, WaitingRequest[]>();
  /** Maps task ids to the contexts through which a task's requests can be sent immediately. */
  private readonly _direct = new Map<string, ServerContext>();
  private readonly _wake = new Map<string, Set<() => void>>();

  constructor(store: TaskStore | undefined, server: () => McpServer) {
    this._store = store;
    this._server = server;
    this.feature = store && {
      handlers: {
        "tasks/get": (params, context) => this._get(store, idIn(params), context.session.id),
        "tasks/result": (params, context) => this._result(store, idIn(params), context),
        "tasks/list": (params, { session }) =>
          store.listTasks((params as { cursor?: string } | undefined)?.cursor, session.id),
        "tasks/cancel": (params, context) => this._cancel(store, idIn(params), context.session.id),
      },
    };
  }

  /**
   * Adds a tool that runs as a task.
   * @throws TypeError if the server has no `taskStore`; the errors of `registerTool`
   */
  registerToolTask<const Input extends ArgumentsSchema | undefined = undefined>(
    name: string,
    { execution = {}, ...config }: TaskToolConfig<Input>,
    handlers: ToolTaskHandler<Input>,
  ): RegisteredTool {
    const store = this._store;
    if (store === undefined) {
      throw new TypeError(
        `The tool ${name} needs a store of tasks: new McpServer(info, { taskStore })`,
      );
    }
    const { taskSupport = "required" } = execution;
    const all = handlers as unknown as AnyHandlers;
    const callback = async (...given: unknown[]): Promise<unknown> => {
      const ctx = given.pop() as ServerContext;
      const { task } = (nativeOf(ctx)?.params ?? {}) as { task?: { ttl?: number } };
      const extra = this._extra(store, name, ctx, { taskRequestedTtl: task?.ttl });
      if (task !== undefined) return all.createTask(...given, extra);
      return this._awaited(store, name, all, given, ctx);
    };
    const own = { ...config, execution: { taskSupport } };
    return this._server().registerTool(name, own as object, callback as never);
  }

  private async _awaited(
    store: TaskStore,
    name: string,
    handlers: AnyHandlers,
    args: readonly unknown[],
    ctx: ServerContext,
  ): Promise<unknown> {
    const created = await handlers.createTask(...args, this._extra(store, name, ctx, {}));
    let { task } = created as { task: Task };
    const { taskId } = task;
    const extra = this._extra(store, name, ctx, { taskId });
    this._direct.set(taskId, ctx);
    this._sendWaiting(taskId, nativeOf(ctx)!);
    try {
      while (!isTerminal(task.status)) {
        await this._changed(task, ctx.signal);
        task = (await handlers.getTask(...args, extra)) as Task;
      }
      return await handlers.getTaskResult(...args, extra);
    } finally {
      this._direct.delete(taskId);
    }
  }

  private _extra(store: TaskStore, tool: string, ctx: ServerContext, more: object): ServerContext {
    const { sessionId, requestId } = ctx;
    const call = { method: "tools/call", params: { name: tool } };
    const taskStore: RequestTaskStore = {
      createTask: (options) => store.createTask(options, requestId, call, sessionId),
      getTask: (taskId) => this._get(store, taskId, sessionId),
      storeTaskResult: async (taskId, status, result) => {
        await store.storeTaskResult(taskId, status, result, sessionId);
        await this._announce(store, taskId, sessionId);
      },
      getTaskResult: (taskId) => store.getTaskResult(taskId, sessionId),
      updateTaskStatus: async (taskId, status, statusMessage) => {
        await store.updateTaskStatus(taskId, status, statusMessage, sessionId);
        await this._announce(store, taskId, sessionId);
      },
      listTasks: (cursor) => store.listTasks(cursor, sessionId),
    };
    // The work continues after the request has been answered, so its requests are sent through the session.
    const sendRequest = ((request: Request, ...rest: Parameters<typeof optionsOf>) => {
      const { relatedTask } = optionsOf(...rest) ?? {};
      const send = relatedTask
        ? requestThrough(this._senderOf(relatedTask))
        : this._server().server.request;
      return (send as Callback)(request, ...rest);
    }) as Ask;
    const members = { taskStore, sendRequest, ...more };
    const entries = Object.entries(members).map(([key, value]) => [key, { value }]);
    return Object.create(
      ctx,
      Object.fromEntries(entries) as PropertyDescriptorMap,
    ) as ServerContext;
  }

  /** Returns a sender whose requests wait until the client fetches the task's result. */
  private _senderOf({ taskId }: RelatedTaskMetadata): Parameters<typeof requestThrough>[0] {
    return {
      notify: undefined,
      request: (method: unknown, params: object | undefined, options: object | undefined) =>
        new Promise((resolve, reject) => {
          const { _meta: meta } = (params ?? {}) as { _meta?: object };
          const related = { ...meta, [RELATED_TASK_META_KEY]: { taskId } };
          const waiting: WaitingRequest = {
            send: ({ request }) => {
              const send = request as (...all: unknown[]) => Promise<unknown>;
              send(method, { ...params, _meta: related }, options).then(resolve, reject);
            },
          };
          this._waiting.set(taskId, [...(this._waiting.get(taskId) ?? []), waiting]);
          const direct = nativeOf(this._direct.get(taskId));
          if (direct) this._sendWaiting(taskId, direct);
          this._wakeUp(taskId);
        }),
    };
  }

  private _sendWaiting(taskId: string, context: { readonly request: unknown }): void {
    const waiting = this._waiting.get(taskId) ?? [];
    this._waiting.delete(taskId);
    for (const one of waiting) one.send(context);
  }

  private async _get(store: TaskStore, taskId: string, sessionId?: string): Promise<Task> {
    const task = await store.getTask(taskId, sessionId);
    if (task) return task;
    throw invalidParams(`The task ${taskId} is unknown, or no longer stored`);
  }

  private async _result(
    store: TaskStore,
    taskId: string,
    context: HandlerContext,
  ): Promise<object> {
    const { session, signal } = context;
    for (;;) {
      const task = await this._get(store, taskId, session.id);
      this._sendWaiting(taskId, context);
      if (task.status === "cancelled") {
        throw invalidParams(`The task ${taskId} was cancelled, and has no result`);
      }
      if (isTerminal(task.status)) {
        const result = await store.getTaskResult(taskId, session.id);
        return { ...result, _meta: { ...result._meta, [RELATED_TASK_META_KEY]: { taskId } } };
      }
      await this._changed(task, signal);
      signal.throwIfAborted();
    }
  }

  private async _cancel(store: TaskStore, taskId: string, sessionId?: string): Promise<Task> {
    const { status } = await this._get(store, taskId, sessionId);
    if (isTerminal(status))
      throw invalidParams(`The task ${taskId} has ended: its status is ${status}`);
    await store.updateTaskStatus(taskId, "cancelled", "The client has cancelled it", sessionId);
    await this._announce(store, taskId, sessionId);
    this._waiting.delete(taskId);
    return this._get(store, taskId, sessionId);
  }

  private async _announce(store: TaskStore, taskId: string, sessionId?: string): Promise<void> {
    this._wakeUp(taskId);
    const task = await store.getTask(taskId, sessionId);
    if (task === null) return;
    const { server } = this._server();
    const params = task as unknown as Record<string, unknown>;
    await server.notification({ method: "notifications/tasks/status", params }).catch(() => {});
  }

  /** Waits until the task changes in this process, or until the store should be polled again. */
  private async _changed({ taskId, pollInterval }: Task, signal: AbortSignal): Promise<void> {
    const wakes = this._wake.get(taskId) ?? new Set();
    this._wake.set(taskId, wakes);
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", wake);
        wakes.delete(wake);
        if (wakes.size === 0) this._wake.delete(taskId);
        resolve();
      };
      const timer = setTimeout(wake, pollInterval ?? DEFAULT_PAUSE);
      signal.addEventListener("abort", wake);
      wakes.add(wake);
    });
  }

  private _wakeUp(taskId: string): void {
    for (const wake of this._wake.get(taskId) ?? []) wake();
  }
}

function idIn(params: unknown): string {
  return (params as { taskId: string }).taskId;
}
