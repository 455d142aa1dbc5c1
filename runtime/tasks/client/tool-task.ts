import type { Session } from "../../api/index.js";
import { isObject } from "../../wire/index.js";
import { quiet } from "../../ground/index.js";
import { taskOfWire, type WireTask, wireOfTask } from "../calls/detailed-task.js";
import { followTask, requestOf } from "../follow-task.js";
import { type CreatedTask, isTerminal, type Task, type TaskStatus } from "../task.js";
import { TaskFollower } from "./task-follower.js";

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
    const isFirst =
      task.lastUpdatedAt === this.#task?.lastUpdatedAt && task.status === this.#task.status;
    this.#task = task;
    if (!isFirst) for (const listener of this.#listeners) listener(task);
  }
}
