import type {
  AnySendMiddleware,
  Feature,
  FeatureHost,
  RequestOptions,
  Send,
  Sending,
  Session,
} from "../../api/index.js";
import {
  isObject,
  LifecycleError,
  type Method,
  METHOD_NOT_FOUND,
  RpcError,
} from "../../wire/index.js";
import {
  TASK,
  type TaskExtension,
  TASK_TRAIT,
  taskOfWire,
  wireOfTask,
  type WireTask,
} from "../calls/task-extension.js";
import { admitsTask, followTask, requestOf } from "../request-as-task.js";
import { type CreatedTask, hasChanged, isTerminal, type Task, type TaskStatus } from "../task.js";
import { TaskFollower } from "./task-follower.js";
import { quiet } from "../../ground/index.js";

const CALL = "tools/call";

export interface StartToolOptions extends Pick<RequestOptions, "timeout" | "context"> {
  /** Milliseconds for which the server should keep the task, where clients choose that. Default: as it likes. */
  readonly ttl?: number | undefined;
}

/** Tasks of a client at all revisions that have some: for the option `extensions` of `connect`. */
export interface ClientTasks extends TaskExtension {
  readonly features: readonly Feature[];
  /**
   * Calls a tool, as a task if the server makes or admits one, and gives its handle at once. Calls by `callTool` that become
   * tasks are followed to their results without one.
   *
   * @throws what calling a tool throws
   */
  startTool(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: StartToolOptions,
  ): Promise<ToolTask>;
  /**
   * Goes on with a task, also in another process than the one that started it.
   * @param saved - JSON of a {@link ToolTask}
   * @throws TypeError for what is none
   */
  resumeTask(saved: SavedTask): ToolTask;
}

/** Makes the tasks of one client, by the extension where a revision has no tasks itself. */
export function clientTasksWith(extension: TaskExtension): ClientTasks {
  const tasks = new TaskCalls();
  return {
    ...extension,
    trait: TASK_TRAIT,
    features: [tasks],
    startTool: (...call) => tasks.start(...call),
    resumeTask: (saved) => ToolTask.of(saved, () => tasks.session),
  };
}

/** Follows calls that became tasks to their results. */
const follow: AnySendMiddleware = Object.assign(
  async (message: Sending, send: Send): Promise<unknown> => {
    const { session, params, options, method } = message;
    const { signal, context, tasks, onprogress } = options;
    if (tasks === "manual") return send();
    const { observed, onstatus } = onprogress ? statusAsProgress(onprogress) : {};
    try {
      const result = await send(observed && { options: { ...options, onprogress: observed } });
      if (!isTask(result)) return result;
      const call = { method, params, context };
      return await new TaskFollower(session, result, { call, signal, onstatus }).result();
    } catch (error) {
      if (!wantsTask(error, session)) throw error;
      const created = await send({ params: { ...(params as object), task: {} } });
      return followTask(session as never, created as CreatedTask, { signal });
    }
  },
  { concerns: ({ method }: Method) => method === CALL },
);

type OnProgress = NonNullable<RequestOptions["onprogress"]>;

/**
 * Reports changes of a task that have a message as progress: the extension has no progress of tasks. Values go on from the
 * progress before.
 */
function statusAsProgress(onprogress: OnProgress): {
  observed: OnProgress;
  onstatus: (task: Task) => void;
} {
  let last = 0;
  const observed: OnProgress = (report) => {
    last = report.progress;
    return onprogress(report);
  };
  const onstatus = ({ statusMessage: message }: Task): void => {
    if (message !== undefined) observed({ progress: last + 1, message });
  };
  return { observed, onstatus };
}

/** Calls of one client that may become tasks. */
class TaskCalls implements Feature {
  readonly handlers: Feature["handlers"] = {};
  readonly sending: readonly AnySendMiddleware[] = [follow];
  #host: FeatureHost | undefined;

  attach(host: FeatureHost): void {
    if (this.#host) throw new TypeError("These tasks are those of another client: make others");
    this.#host = host;
  }

  /** @throws LifecycleError when the client is not connected */
  get session(): Session {
    const session = [...(this.#host?.sessions ?? [])].at(-1);
    if (session === undefined)
      throw new LifecycleError("The client of these tasks is not connected");
    return session;
  }

  async start(
    name: string,
    args: Readonly<Record<string, unknown>> = {},
    { ttl, timeout, context }: StartToolOptions = {},
  ): Promise<ToolTask> {
    const { session } = this;
    const params = { name, arguments: args };
    const options: RequestOptions = { timeout, context, tasks: "manual" };
    const isAsked =
      session.revision.traits.tasks &&
      (await admitsTask(session as never, CALL, params, { timeout }));
    const asked = isAsked ? { ...params, task: ttl === undefined ? {} : { ttl } } : params;
    const result = await session.request(CALL, asked, options);
    const known = { params, context, session: () => this.session };
    if (isTask(result)) return new ToolTask({ ...known, wire: result });
    if (isAsked && isObject(result) && isObject(result["task"]))
      return new ToolTask({ ...known, created: result as unknown as CreatedTask });
    return new ToolTask({ ...known, result: result as Record<string, unknown> });
  }
}

function isTask(result: unknown): result is WireTask {
  return isObject(result) && result["resultType"] === TASK;
}

/** True for the refusal of a tool that runs as a task only, by a server that has tasks. */
function wantsTask(error: unknown, { revision, peer }: Session): boolean {
  const isRefusal = error instanceof RpcError && error.code === METHOD_NOT_FOUND;
  return isRefusal && revision.traits.tasks && isObject(peer.capabilities["tasks"]);
}

type Result = Record<string, unknown>;

/** A called tool as JSON, to go on with it later. */
export type SavedTask = {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
} & (
  | { readonly task: Task; readonly result?: undefined }
  | { readonly result: Result; readonly task?: undefined }
);

export interface ToolTaskOptions {
  readonly params: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };
  readonly context?: unknown;
  /** @throws LifecycleError when the client is not connected */
  readonly session: () => Session;
  /** Task of the extension. */
  readonly wire?: WireTask | undefined;
  /** Task of a revision that has tasks itself. */
  readonly created?: CreatedTask | undefined;
  /** Result of a call that did not become a task. */
  readonly result?: Result | undefined;
}

/** A called tool: its task, if the call became one, and its result. */
export class ToolTask {
  readonly #options: ToolTaskOptions;
  readonly #listeners = new Set<(task: Task) => void>();
  #task: Task | undefined;
  #following: Promise<Result> | undefined;

  /** Made by `startTool` and `resumeTask`. */
  constructor(options: ToolTaskOptions) {
    const { wire, created } = options;
    this.#options = options;
    this.#task = wire ? taskOfWire(wire) : created?.task;
  }

  /** @throws TypeError for what is no JSON of a task */
  static of(saved: SavedTask, session: () => Session): ToolTask {
    const {
      tool,
      arguments: args = {},
      task,
      result,
    } = isObject(saved) ? (saved as SavedTask) : ({} as SavedTask);
    if (typeof tool !== "string" || (!isObject(task) && !isObject(result)))
      throw new TypeError("resumeTask() takes what JSON.stringify() made of the task");
    const known = { params: { name: tool, arguments: args }, session };
    if (result) return new ToolTask({ ...known, result });
    const isOwn = session().revision.traits.tasks;
    return new ToolTask(
      isOwn ? { ...known, created: { task: task! } } : { ...known, wire: wireOfTask(task!) },
    );
  }

  /** Id of the task; undefined when the call did not become one. */
  get taskId(): string | undefined {
    return this.#task?.taskId;
  }

  /** Newest known status. */
  get status(): TaskStatus {
    return this.#task?.status ?? "completed";
  }

  /** Newest known line for people about the status. */
  get statusMessage(): string | undefined {
    return this.#task?.statusMessage;
  }

  /**
   * Result of the tool. The task is followed from the first call of this, or of `updates`, on: its questions are answered by
   * the handlers of the client.
   *
   * @throws RpcError with which the call has failed, or by which the server does not know the task any more;
   *   RequestCancelledError when it was cancelled, by whomever; InputRefusedError when a question is not answered
   */
  result(): Promise<Result> {
    this.#following ??= this.#follow();
    return this.#following;
  }

  /** The task as it is now, and whenever it has changed, until its end. Problems show in the result. */
  async *updates(): AsyncGenerator<Task, void> {
    const news: Task[] = this.#task ? [this.#task] : [];
    let wake: (() => void) | undefined;
    let isOver = false;
    const hear = (task: Task): void => {
      news.push(task);
      wake?.();
    };
    this.#listeners.add(hear);
    const end = (): void => {
      isOver = true;
      wake?.();
    };
    this.result().then(end, end);
    try {
      for (;;) {
        const next = news.shift();
        if (next) yield next;
        else if (isOver) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      this.#listeners.delete(hear);
    }
  }

  /** Asks the server to end the task; whether it does shows in the result. Does nothing when it has ended. */
  async cancel(): Promise<void> {
    const { session } = this.#options;
    if (this.#task === undefined || isTerminal(this.#task)) return;
    const { taskId } = this.#task;
    await requestOf(session() as never, "tasks/cancel", { taskId });
  }

  toJSON(): SavedTask {
    const { params, result } = this.#options;
    const call = { tool: params.name, arguments: params.arguments };
    return this.#task ? { ...call, task: this.#task } : { ...call, result: result! };
  }

  #follow(): Promise<Result> {
    const { wire, created, result, params, context, session } = this.#options;
    const onstatus = (task: Task): void => this.#see(task);
    if (wire) {
      const call = { method: "tools/call", params, context };
      return quiet(new TaskFollower(session(), wire, { call, onstatus }).result());
    }
    if (created) return quiet(followTask(session() as never, created, { onstatus }));
    return Promise.resolve(result!);
  }

  #see(task: Task): void {
    const isNew = this.#task === undefined || hasChanged(task, this.#task);
    this.#task = task;
    if (isNew) for (const listener of this.#listeners) listener(task);
  }
}
