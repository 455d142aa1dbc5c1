import {
  type AnyMiddleware,
  type Feature,
  type FeatureHost,
  type Filter,
  type HandlerContext,
  isInputRequired,
  type Listening,
} from "../../api/index.js";
import { internalError, invalidResult, isSendable } from "../../engine/index.js";
import type { TaskRule } from "../../features/index.js";
import { declaredSettings, extensionRequired } from "../../rules/index.js";
import { inLieuOf, isObject, type Method, quote, RequestCancelledError } from "../../wire/index.js";
import { errorOfTask } from "../task-context.js";
import {
  fromStore,
  type TaskChange,
  TaskRecords,
  type TaskRecordsOptions,
} from "../task-records.js";
import { ownerByAuth, statusWith, type StoredTask, without } from "../task-store.js";
import { type CallContext, runCall } from "./call-run.js";
import {
  type DetailedTask,
  detailedTask,
  TASK,
  TASK_CHANGED,
  TASK_IDS,
  type TaskExtension,
} from "./task-extension.js";
import { TaskWork } from "./task-work.js";

/** Decides which tools can become tasks; `Tools` implements it. */
export interface TaskTools {
  /** Rule of a tool; undefined for an unknown one. */
  taskRule(name: unknown, context: HandlerContext): TaskRule | undefined;
}

/** Options of tasks of the extension. Times are in milliseconds. */
export interface CallTasksOptions extends TaskRecordsOptions {
  /** Time after which a call of a tool with `task: "optional"` becomes a task. Default: 1000. */
  readonly after?: number | undefined;
  /** Maximum number of tasks of one subscription. Default: 1000. */
  readonly maxListened?: number | undefined;
}

/** Party that requests a task. */
type Asker = Pick<HandlerContext, "auth">;

interface TaskParams {
  readonly taskId: string;
}

interface UpdateParams extends TaskParams {
  readonly inputResponses: Readonly<Record<string, unknown>>;
}

/**
 * Continues calls that were answered with a task, for clients that declare the tasks extension (extension tasks): from
 * the beginning, or if they take long.
 */
export class CallTasks implements Feature {
  readonly handlers: Feature["handlers"] = {};
  readonly middleware: readonly AnyMiddleware[];
  /** Handlers of the messages of the extension. */
  readonly messages: Readonly<Record<string, (params: never, asker: Asker) => unknown>>;
  readonly #extension: TaskExtension;
  readonly #options: CallTasksOptions;
  readonly #records: TaskRecords;
  readonly #running = new Map<string, TaskWork>();
  #host!: FeatureHost;
  #tools: TaskTools | undefined;

  constructor(extension: TaskExtension, options: CallTasksOptions = {}) {
    this.#extension = extension;
    this.#options = options;
    this.#records = new TaskRecords(options, (error) => this.#host.report(error));
    this.middleware = [this.#around];
    this.messages = {
      "tasks/get": async ({ taskId }: TaskParams, asker) =>
        detailedTask(await this.#find(taskId, asker)),
      "tasks/update": (params: UpdateParams, asker) => this.#update(params, asker),
      "tasks/cancel": ({ taskId }: TaskParams, asker) => this.#cancel(taskId, asker),
    };
  }

  attach(host: FeatureHost): void {
    this.#host = host;
    this.#tools = host.features.find(isTaskTools);
  }

  /** Reduces a subscription to the client's tasks whose changes this process receives; the client polls all others. */
  async listen(filter: Filter, context: HandlerContext): Promise<Listening | undefined> {
    const wished = filter[TASK_IDS] as readonly string[] | undefined;
    if (wished === undefined) return undefined;
    const { maxListened = 1000 } = this.#options;
    const found = await Promise.all(
      wished.slice(0, maxListened).map(async (taskId) => {
        const isKnown = !this.#records.store.isShared || this.#running.has(taskId);
        const stored = isKnown ? await fromStore(() => this.#records.store.get(taskId)) : undefined;
        return stored?.owner === ownerByAuth(context) ? [taskId] : [];
      }),
    );
    const { [TASK_IDS]: _, ...others } = filter;
    const own = found.flat();
    return { filter: own.length > 0 ? { ...others, [TASK_IDS]: own } : others };
  }

  /** Stops all tasks that run in this process; for a process that is about to end. */
  close(): void {
    for (const work of this.#running.values()) work.abandon(new Error("The tasks were closed"));
  }

  readonly #around: AnyMiddleware = (call, next) => {
    const { kind, method, params, context } = call;
    const row = context.session.revision.methods.get(method);
    const { id } = this.#extension;
    if (kind !== "request" || row?.inLieu?.[TASK]?.extension !== id || !isObject(params))
      return next();
    const name = params["name"];
    const { support = "forbidden", ttl } = this.#tools?.taskRule(name, context) ?? {};
    if (support === "forbidden") return next();
    if (declaredSettings(context.session, id) === undefined) {
      if (support === "optional") return next();
      const what = `The tool ${quote(String(name))}`;
      throw extensionRequired(what, id, context.session.revision);
    }
    return runCall(
      { call, next, row, ttl },
      this,
      support === "required" ? 0 : (this.#options.after ?? 1000),
    );
  };

  /**
   * Stores a new task, which runs in this process.
   * @throws RpcError -32603 if there are too many, UnavailableError if the store fails
   */
  async start(
    ttl: number | undefined,
    context: CallContext,
  ): Promise<readonly [StoredTask, TaskWork]> {
    const stored = await this.#records.create(ownerByAuth(context), ttl);
    const { taskId } = stored.task;
    const work = new TaskWork(stored, {
      lease: this.#records.lease,
      change: (change) => this.#records.change(taskId, change, this.#notify),
      abort: (reason) => context.abort(reason),
      ended: () => {
        this.#running.delete(taskId);
        this.#records.release(stored);
      },
    });
    this.#running.set(taskId, work);
    return [stored, work];
  }

  /**
   * Ends a task with a result of its request, checked and converted to plain JSON as if it were
   * sent now.
   */
  async finish(
    work: TaskWork,
    row: Method,
    context: HandlerContext,
    result: unknown,
  ): Promise<void> {
    const { params } = context;
    const whole = isObject(result) ? { resultType: "complete", ...result } : result;
    const isRight = inLieuOf(row, whole) === undefined && !isInputRequired(whole);
    if (!isRight || !isSendable(row, params, whole, this.#host.checksContent)) {
      this.#host.report(invalidResult(row, params, whole));
      return this.fail(work, context, internalError());
    }
    const plain = JSON.parse(JSON.stringify(whole)) as Readonly<Record<string, unknown>>;
    await work.finish("completed", { result: plain });
  }

  /** Ends a task with an error; the client only receives errors that are meant for it. */
  async fail(work: TaskWork, context: HandlerContext, thrown: unknown): Promise<void> {
    if (work.isOver) return;
    const error = errorOfTask(thrown, context, this.#host.report).toJSON();
    await work.finish("failed", { error }, error.message);
  }

  /** @throws RpcError -32602, the same for unknown tasks and those of other clients */
  #find(taskId: string, asker: Asker): Promise<StoredTask> {
    return this.#records.find(taskId, ownerByAuth(asker), this.#notify);
  }

  async #update({ taskId, inputResponses }: UpdateParams, asker: Asker): Promise<object> {
    await this.#find(taskId, asker);
    const take = ({ questions = {}, answers }: StoredTask): TaskChange | undefined => {
      const given = Object.entries(inputResponses).filter(
        ([key, answer]) => Object.hasOwn(questions, key) && this.#answers(questions[key]!, answer),
      );
      if (given.length === 0) return undefined;
      const left = without(
        questions,
        given.map(([key]) => key),
      );
      return {
        questions: left,
        answers: { ...answers, ...Object.fromEntries(given) },
        task: { status: statusWith(left) },
      };
    };
    const stored = await this.#records.changeNow(taskId, take, this.#notify);
    if (stored) this.#running.get(taskId)?.take(stored);
    return {};
  }

  async #cancel(taskId: string, asker: Asker): Promise<object> {
    await this.#find(taskId, asker);
    const reason = new RequestCancelledError(taskId);
    const cancelled: TaskChange = {
      task: { status: "cancelled", statusMessage: reason.message },
      questions: {},
      answers: {},
    };
    await this.#records.changeNow(taskId, () => cancelled, this.#notify);
    this.#running.get(taskId)?.abandon(reason);
    return {};
  }

  /** True for a value that is a valid answer to a question. */
  #answers({ method }: { readonly method: string }, answer: unknown): boolean {
    return this.#host.revisions.some(({ methods }) => {
      const row = methods.get(method);
      return row?.channel === "embedded" && row.result?.(answer) === true;
    });
  }

  readonly #notify = (stored: StoredTask): void => {
    const params: DetailedTask = detailedTask(stored);
    this.#host.broadcast(TASK_CHANGED, params);
  };
}

function isTaskTools(feature: Feature): feature is Feature & TaskTools {
  return "taskRule" in feature;
}
