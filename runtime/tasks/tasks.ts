import { type TaskAdmission, TaskRegister, type TasksOptions } from "./task-register.js";
import { isObject, type Method, type Revision, RpcError } from "../wire/index.js";
import { checkedPageSize, Cursors } from "../features/index.js";
import type {
  AnyCall,
  AnyHandler,
  AnyMiddleware,
  Feature,
  FeatureHost,
  HandlerContext,
  Next,
} from "../api/index.js";
import { type CreatedTask, invalidTask, type Task } from "./task.js";
import { withRelatedTask } from "../rules/index.js";
import { runTask } from "./task-context.js";

const IMMEDIATE_RESPONSE = "io.modelcontextprotocol/model-immediate-response";

/**
 * Runs requests as tasks, after answering them with a task, for servers and clients (MCP: tasks, experimental). Handles
 * the requests about tasks, and converts each request that asks for it to a task. Handlers stay unchanged; their
 * requests to the peer wait until the peer fetches the result.
 */
export class Tasks implements Feature {
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  readonly middleware: readonly AnyMiddleware[];
  readonly #options: TasksOptions;
  readonly #requests: readonly string[];
  readonly #register: TaskRegister;
  readonly #cursors: Cursors;
  readonly #pageSize: number;
  #host: FeatureHost | undefined;
  #tools: TaskAdmission | undefined;

  /** @throws TypeError if the page size is not a positive integer */
  constructor(options: TasksOptions = {}) {
    this.#options = options;
    this.#tools = options.tools;
    this.#requests = options.requests ?? ["tools/call"];
    this.#register = new TaskRegister(options, this.#report);
    this.#cursors = options.cursors ?? new Cursors();
    this.#pageSize = checkedPageSize(options.pageSize) ?? 100;
    this.middleware = [this.#around];
    this.handlers = {
      "tasks/get": (params, context) => this.#get(params as TaskParams, context),
      "tasks/result": (params, context) => this.#result(params as TaskParams, context),
      "tasks/cancel": (params, context) =>
        this.#register.cancel((params as TaskParams).taskId, context),
      ...(options.list
        ? { "tasks/list": (params, context) => this.#list(params as PageParams, context) }
        : {}),
    };
  }

  /** Declares which requests can become tasks, if the revision has tasks. */
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
    this.#tools ??= host.features.find(isAdmission);
  }

  /** Stops all tasks that run in this process; for a process that is about to end. */
  close(): void {
    this.#register.close();
  }

  readonly #around: AnyMiddleware = (call, next) => {
    const row = this.#rowOfTask(call);
    return row ? this.#start(row, call, next) : next();
  };

  /** Returns the row of a request that is to run as a task and can become one. */
  #rowOfTask({ kind, method, params, context }: AnyCall): Method | undefined {
    const isAsked = kind === "request" && isObject(params) && params["task"] !== undefined;
    if (!isAsked || !this.#requests.includes(method)) return undefined;
    const row = context.session.revision.methods.get(method);
    return row?.taskResult && row;
  }

  async #start(row: Method, call: AnyCall, next: Next): Promise<CreatedTask & { _meta?: object }> {
    const { context, params } = call;
    this.#tools?.admitTask(params, context);
    const [task, running] = await this.#register.add((params as TaskRequest).task.ttl, context);
    // Messages of the handler may not be sent before the response.
    const { checksContent = true } = this.#host ?? {};
    const work = { row, call, next, checksContent, report: this.#report };
    setTimeout(() => void runTask(running, work), 0);
    const immediate = this.#options.immediateResponse?.(call);
    return immediate === undefined
      ? { task }
      : { task, _meta: { [IMMEDIATE_RESPONSE]: immediate } };
  }

  async #get({ taskId }: TaskParams, context: HandlerContext): Promise<Task> {
    return (await this.#register.find(taskId, context)).task;
  }

  async #result({ taskId }: TaskParams, context: HandlerContext): Promise<object> {
    const { outcome } = await this.#register.settled(taskId, context);
    if (outcome === undefined) throw invalidTask("was cancelled, and has no result");
    if ("result" in outcome) return withRelatedTask(outcome.result, { taskId });
    const { code, message, data } = outcome.error;
    throw new RpcError(code, message, data);
  }

  async #list(params: PageParams, context: HandlerContext): Promise<object> {
    const { tasks, owner } = await this.#register.list(context);
    const { items, nextCursor } = await this.#cursors.paginate({
      list: `tasks/list ${owner}`,
      items: tasks,
      keyOf: ({ taskId }) => taskId,
      pageSize: this.#pageSize,
      cursor: params?.cursor,
    });
    return nextCursor === undefined ? { tasks: items } : { tasks: items, nextCursor };
  }

  readonly #report = (error: Error): void => this.#host?.report(error);
}

function isAdmission(feature: Feature): feature is Feature & TaskAdmission {
  return "admitTask" in feature;
}

interface TaskParams {
  readonly taskId: string;
}

interface TaskRequest {
  readonly task: { readonly ttl?: number };
}

type PageParams = { readonly cursor?: string } | undefined;
