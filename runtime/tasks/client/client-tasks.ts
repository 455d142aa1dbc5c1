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
  /**
   * The time for which the server should keep the task, in milliseconds, if clients can choose it. Default: the server
   * decides.
   */
  readonly ttl?: number | undefined;
}

/** A client's tasks, in all revisions that have tasks. Pass them with the `extensions` option of `connect`. */
export interface ClientTasks extends TaskExtension {
  readonly features: readonly Feature[];
  /**
   * Calls a tool, as a task if the server creates or permits one, and returns a handle immediately. If a `callTool`
   * call becomes a task, it is followed to its result without a handle.
   *
   * @throws the errors of calling a tool
   */
  startTool(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: StartToolOptions,
  ): Promise<ToolTask>;
  /**
   * Continues a task, even in a process that did not start it.
   *
   * @param saved - the JSON of a {@link ToolTask}
   * @throws TypeError if the JSON does not describe a task
   */
  resumeTask(saved: SavedTask): ToolTask;
}

/** Creates the task support for one client. It uses the extension in revisions that have no tasks of their own. */
export function clientTasksWith(extension: TaskExtension): ClientTasks {
  let host: FeatureHost | undefined;
  const feature: Feature = {
    handlers: {},
    sending: [follow],
    attach(to) {
      if (host) throw new TypeError("These tasks belong to another client: create new ones");
      host = to;
    },
  };
  const sessionOf = (): Session => {
    const session = [...(host?.sessions ?? [])].at(-1);
    if (session) return session;
    throw new LifecycleError("The client of these tasks is not connected");
  };
  return {
    ...extension,
    trait: TASK_TRAIT,
    features: [feature],
    startTool: async (...call) => startTool(sessionOf, ...call),
    resumeTask: (saved) => ToolTask.of(saved, sessionOf),
  };
}

/** Send middleware that follows calls to their results if they have become tasks. */
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
      return followTask(session, created as CreatedTask, { signal });
    }
  },
  { concerns: ({ method }: Method) => method === CALL },
);

type OnProgress = NonNullable<RequestOptions["onprogress"]>;

/**
 * Creates callbacks that report changes to a task's status message as progress, because the extension does not define
 * progress for tasks. Values continue from the previous progress.
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

type SessionOf = () => Session;

async function startTool(
  sessionOf: SessionOf,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  { ttl, timeout, context }: StartToolOptions = {},
): Promise<ToolTask> {
  const session = sessionOf();
  const params = { name, arguments: args };
  const options: RequestOptions = { timeout, context, tasks: "manual" };
  const isAsked =
    session.revision.traits.tasks && (await admitsTask(session, CALL, params, { timeout }));
  const requested = isAsked ? { ...params, task: ttl === undefined ? {} : { ttl } } : params;
  const result = await session.request(CALL, requested, options);
  const known = { params, context, session: sessionOf };
  if (isTask(result)) return new ToolTask({ ...known, wire: result });
  if (isAsked && isObject(result) && isObject(result["task"]))
    return new ToolTask({ ...known, created: result as unknown as CreatedTask });
  return new ToolTask({ ...known, result: result as Record<string, unknown> });
}

function isTask(result: unknown): result is WireTask {
  return isObject(result) && result["resultType"] === TASK;
}

/**
 * True if the error is a server's refusal of an ordinary call to a tool that runs only as a task: -32601 from a server
 * that declares tasks, in a revision that has them.
 */
function wantsTask(error: unknown, { revision, peer }: Session): boolean {
  const isRefusal = error instanceof RpcError && error.code === METHOD_NOT_FOUND;
  return isRefusal && revision.traits.tasks && isObject(peer.capabilities["tasks"]);
}

type Result = Record<string, unknown>;

/** A tool call as JSON, from which the call can be continued later. */
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
  readonly session: () => Session;
  /** A task of the extension. */
  readonly wire?: WireTask | undefined;
  /** A task of a revision that itself has tasks. */
  readonly created?: CreatedTask | undefined;
  readonly result?: Result | undefined;
}

/** A tool call, with its task if it became one, and its result. */
export class ToolTask {
  readonly #options: ToolTaskOptions;
  readonly #listeners = new Set<(task: Task) => void>();
  #task: Task | undefined;
  #following: Promise<Result> | undefined;

  /** Called only by `startTool` and `resumeTask`. */
  constructor(options: ToolTaskOptions) {
    const { wire, created } = options;
    this.#options = options;
    this.#task = wire ? taskOfWire(wire) : created?.task;
  }

  /**
   * Restores a task from its JSON.
   *
   * @throws TypeError if the JSON does not describe a task
   */
  static of(saved: SavedTask, session: () => Session): ToolTask {
    const {
      tool,
      arguments: args = {},
      task,
      result,
    } = isObject(saved) ? (saved as SavedTask) : ({} as SavedTask);
    if (typeof tool !== "string" || (!isObject(task) && !isObject(result)))
      throw new TypeError("resumeTask() needs a task as JSON.stringify() returns it");
    const known = { params: { name: tool, arguments: args }, session };
    if (result) return new ToolTask({ ...known, result });
    const isOwn = session().revision.traits.tasks;
    return new ToolTask(
      isOwn ? { ...known, created: { task: task! } } : { ...known, wire: wireOfTask(task!) },
    );
  }

  /** The task's id, or undefined if the call did not become a task. */
  get taskId(): string | undefined {
    return this.#task?.taskId;
  }

  /** Newest known status. */
  get status(): TaskStatus {
    return this.#task?.status ?? "completed";
  }

  /** The newest known status message, which is human-readable. */
  get statusMessage(): string | undefined {
    return this.#task?.statusMessage;
  }

  /**
   * Returns the tool's result. The first call of this method or `updates` starts following the task, so that the
   * client's handlers answer its questions.
   *
   * @throws RpcError with which the call has failed, or with which the server reports that it no longer knows the task
   * @throws RequestCancelledError if either side cancelled the task
   * @throws InputRefusedError if a question is not answered
   */
  result(): Promise<Result> {
    this.#following ??= this.#follow();
    return this.#following;
  }

  /**
   * Yields the task's current state, and its state after each change, until the task ends. Errors are reported only by
   * {@link result}.
   */
  async *updates(): AsyncGenerator<Task, void> {
    const states: Task[] = this.#task ? [this.#task] : [];
    let wake: (() => void) | undefined;
    let isOver = false;
    const listener = (task: Task): void => {
      states.push(task);
      wake?.();
    };
    this.#listeners.add(listener);
    const end = (): void => {
      isOver = true;
      wake?.();
    };
    this.result().then(end, end);
    try {
      for (;;) {
        const next = states.shift();
        if (next) yield next;
        else if (isOver) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      this.#listeners.delete(listener);
    }
  }

  /** Asks the server to end the task; the result shows whether it does. Does nothing if the task has ended. */
  async cancel(): Promise<void> {
    const { session } = this.#options;
    if (this.#task === undefined || isTerminal(this.#task)) return;
    const { taskId } = this.#task;
    await requestOf(session(), "tasks/cancel", { taskId });
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
    if (created) return quiet(followTask(session(), created, { onstatus }));
    return Promise.resolve(result!);
  }

  #see(task: Task): void {
    const isNew = this.#task === undefined || hasChanged(task, this.#task);
    this.#task = task;
    if (isNew) for (const listener of this.#listeners) listener(task);
  }
}
