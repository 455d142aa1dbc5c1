import { internalError, invalidResult, isSendable } from "../../engine/index.js";
import { declaredSettings, extensionRequired } from "../../rules/index.js";
import {
  type AnyMiddleware,
  type Feature,
  type FeatureHost,
  type Filter,
  type HandlerContext,
  type Listening,
  isInputRequired,
} from "../../api/index.js";
import {
  HandlerError,
  INTERNAL_ERROR,
  type Method,
  OverloadError,
  RequestCancelledError,
  RpcError,
  describeThrown,
  inLieuOf,
  isObject,
  quote,
} from "../../wire/index.js";
import { Tally, toBase64Url } from "../../ground/index.js";
import { fromStore } from "../from-store.js";
import { keepTrying } from "../keep-trying.js";
import { MemoryTaskStore } from "../memory-task-store.js";
import { newTask } from "../new-task.js";
import { isTerminal, type Task } from "../task.js";
import { NO_ROOM, busy, invalidTask } from "../task-errors.js";
import { ANYONE, ownerByAuth } from "../task-owners.js";
import type { StoredTask, TaskOutcome, TaskStore } from "../task-store.js";
import type { CallTasksOptions, TaskTools } from "./call-tasks-options.js";
import type { CallContext } from "./call-context.js";
import { type TaskChange, changeTask } from "./change-task.js";
import { CallRun } from "./call-run.js";
import { type DetailedTask, detailedTask } from "./detailed-task.js";
import { TASK, TASK_IDS, type TaskExtension, TOLD } from "./task-extension.js";
import { statusWith, TaskWork, without } from "./task-work.js";

/** Party that asks after a task. */
type Asker = Pick<HandlerContext, "auth">;

interface TaskParams {
  readonly taskId: string;
}

interface UpdateParams extends TaskParams {
  readonly inputResponses: Readonly<Record<string, unknown>>;
}

/**
 * Lets calls of clients that declare the tasks extension go on after they were answered (extension tasks): at once, or when
 * they take long.
 */
export class CallTasks implements Feature {
  readonly handlers: Feature["handlers"] = {};
  readonly middleware: readonly AnyMiddleware[];
  /** Handlers of the messages of the extension. */
  readonly messages: Readonly<Record<string, (params: never, asker: Asker) => unknown>>;
  readonly #extension: TaskExtension;
  readonly #options: CallTasksOptions;
  readonly #store: TaskStore;
  readonly #running = new Map<string, TaskWork>();
  /** Number of running tasks by owner. */
  readonly #owners = new Tally<string>();
  #host!: FeatureHost;
  #tools: TaskTools | undefined;

  constructor(extension: TaskExtension, options: CallTasksOptions = {}) {
    this.#extension = extension;
    this.#options = options;
    this.#store = options.store ?? new MemoryTaskStore();
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

  /**
   * Leaves those tasks of a subscription that are there, the client's, and of which this process hears: clients look at the
   * others themselves.
   */
  async listen(filter: Filter, context: HandlerContext): Promise<Listening | undefined> {
    const wished = filter[TASK_IDS] as readonly string[] | undefined;
    if (wished === undefined) return undefined;
    const { maxListened = 1000 } = this.#options;
    const found = await Promise.all(
      wished.slice(0, maxListened).map(async (taskId) => {
        const isHeardOf = !this.#store.isShared || this.#running.has(taskId);
        const stored = isHeardOf ? await fromStore(() => this.#store.get(taskId)) : undefined;
        return stored?.owner === ownerByAuth(context) ? [taskId] : [];
      }),
    );
    const { [TASK_IDS]: _, ...others } = filter;
    const own = found.flat();
    return { filter: own.length > 0 ? { ...others, [TASK_IDS]: own } : others };
  }

  /** Stops all that is worked on in this process; for one that is about to end. */
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
    return new CallRun(call, next, row, ttl, this).run(
      support === "required" ? 0 : (this.#options.after ?? 1000),
    );
  };

  /**
   * Stores a new task, which is to be worked on here.
   * @throws RpcError -32603 when there are too many, UnavailableError when the store fails
   */
  async start(
    ttl: number | undefined,
    context: CallContext,
  ): Promise<readonly [StoredTask, TaskWork]> {
    const owner = ownerByAuth(context);
    this.#assertRoom(owner);
    const lease = this.#lease;
    const task: Task = { ...newTask(ttl, this.#options), taskId: newId() };
    const leasedUntil = lease && new Date(Date.now() + lease).toISOString();
    const stored = { task, owner, version: 0, ...(leasedUntil && { leasedUntil }) };
    try {
      await fromStore(() => this.#store.add(stored));
    } catch (error) {
      throw error instanceof OverloadError ? busy("too many tasks are kept") : error;
    }
    const work = new TaskWork(stored, {
      lease,
      change: (taskId, change) => this.#change(taskId, change),
      abort: (reason) => context.abort(reason),
      ended: () => {
        this.#running.delete(task.taskId);
        this.#owners.add(owner, -1);
      },
    });
    this.#running.set(task.taskId, work);
    this.#owners.add(owner, 1);
    this.#log(stored);
    return [stored, work];
  }

  /** Ends a task with a result of its request, checked and made plain JSON as if it were sent now. */
  async finish(work: TaskWork, row: Method, params: unknown, result: unknown): Promise<void> {
    const whole = isObject(result) ? { resultType: "complete", ...result } : result;
    const isRight = inLieuOf(row, whole) === undefined && !isInputRequired(whole);
    if (!isRight || !isSendable(row, params, whole, this.#host.checksContent)) {
      this.#host.report(invalidResult(row, params, whole));
      return this.fail(work, row, internalError());
    }
    const plain = JSON.parse(JSON.stringify(whole)) as Readonly<Record<string, unknown>>;
    await work.finish("completed", { result: plain });
  }

  /** Ends a task with an error: only one that is meant for the client is told. */
  fail(work: TaskWork, { method }: Method, thrown: unknown): Promise<void> {
    const isMeant = thrown instanceof RpcError;
    if (!isMeant && !work.isOver)
      this.#host.report(new HandlerError(method, `failed: ${describeThrown(thrown)}`, thrown));
    const error = (isMeant ? thrown : internalError()).toJSON();
    return work.finish("failed", { error }, error.message);
  }

  get #lease(): number | undefined {
    return this.#store.isShared ? (this.#options.lease ?? 15_000) : undefined;
  }

  /** @throws RpcError -32602, which does not tell whether it is another one's */
  async #find(taskId: string, asker: Asker): Promise<StoredTask> {
    const stored = await fromStore(() => this.#store.get(taskId));
    if (stored?.owner !== ownerByAuth(asker))
      throw invalidTask("is unknown, or was not kept any longer");
    const { leasedUntil } = stored;
    const isLost = leasedUntil !== undefined && Date.parse(leasedUntil) < Date.now();
    if (!isLost || isTerminal(stored.task)) return stored;
    const lost = await this.#change(taskId, (now) =>
      now.leasedUntil === leasedUntil ? LOST : undefined,
    );
    return lost ?? (await this.#store.get(taskId)) ?? stored;
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
    const stored = await fromStore(() => this.#changed(taskId, take));
    if (stored) await this.#running.get(taskId)?.take(stored);
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
    await fromStore(() => this.#changed(taskId, () => cancelled));
    this.#running.get(taskId)?.abandon(reason);
    return {};
  }

  /** True for a value that can answer a question. */
  #answers({ method }: { readonly method: string }, answer: unknown): boolean {
    return this.#host.revisions.some(({ methods }) => {
      const row = methods.get(method);
      return row?.channel === "embedded" && row.result?.(answer) === true;
    });
  }

  /** Changes a task, and tells of it. @throws whatever the store throws */
  async #changed(
    taskId: string,
    change: (stored: StoredTask) => TaskChange | undefined,
  ): Promise<StoredTask | undefined> {
    let made: TaskChange | undefined;
    const stored = await changeTask(this.#store, taskId, (now) => (made = change(now)));
    if (stored && (made?.task || made?.questions)) this.#tell(stored);
    return stored;
  }

  /** Changes a task as its worker does, which waits for a store that is away. Never rejects. */
  async #change(
    taskId: string,
    change: (stored: StoredTask) => TaskChange | undefined,
  ): Promise<StoredTask | undefined> {
    let made: TaskChange | undefined;
    try {
      const attempt = () => this.#changed(taskId, (now) => (made = change(now)));
      return await keepTrying(attempt, (error) => this.#host.report(error));
    } catch (error) {
      this.#host.report(error as Error);
      const isTooLarge = error instanceof OverloadError && made?.outcome !== undefined;
      return isTooLarge && made !== TOO_LARGE ? this.#change(taskId, () => TOO_LARGE) : undefined;
    }
  }

  #tell(stored: StoredTask): void {
    this.#log(stored);
    const told: DetailedTask = detailedTask(stored);
    this.#host.broadcast(TOLD, told);
  }

  #log({ task, owner }: StoredTask): void {
    try {
      this.#options.onstatus?.(task, owner);
    } catch (error) {
      this.#host.report(error as Error);
    }
  }

  #assertRoom(owner: string): void {
    const { maxRunning = 1000, maxRunningPerOwner = 100 } = this.#options;
    const isFull = owner !== ANYONE && this.#owners.of(owner) >= maxRunningPerOwner;
    if (isFull || this.#running.size >= maxRunning) throw busy("too many tasks are worked on");
  }
}

/** Id of 192 random bits: whoever knows it may have the task, where nobody is known. */
function newId(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(24)));
}

function isTaskTools(feature: Feature): feature is Feature & TaskTools {
  return "taskRule" in feature;
}

const failure = (message: string): TaskChange & { readonly outcome: TaskOutcome } => ({
  task: { status: "failed", statusMessage: message },
  outcome: { error: { code: INTERNAL_ERROR, message } },
  questions: {},
  answers: {},
});
const LOST = failure("Internal error: the server that worked on the task is gone");
const TOO_LARGE = failure(NO_ROOM);
