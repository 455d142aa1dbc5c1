import type { CustomMessage, RequestOptions, Session } from "../api/index.js";
import { LifecycleError } from "../wire/index.js";
import { inBackground } from "./in-background.js";
import { OpenStreams } from "./open-streams.js";
import { markedForTask } from "./related-task.js";
import type { Task, TaskStatus } from "./task.js";
import type { StoredTask, TaskOutcome } from "./task-store.js";

/** A context's way to send anything, whatever the revision's types allow. */
type Send = (
  method: string | CustomMessage,
  params: unknown,
  options?: RequestOptions,
) => Promise<unknown>;

export interface RunningTaskOptions {
  readonly stored: StoredTask;
  /** Stores a change. Gives false when the task is over already; never rejects. */
  readonly change: (stored: StoredTask) => Promise<boolean>;
  /** Called once, when there is nothing left to do. */
  readonly ended: () => void;
  /** Called when the task's time is over before it is. */
  readonly expired: () => void;
}

/** A task that is worked on in this process: its status, its way to the peer, its end. */
export class RunningTask {
  readonly streams: OpenStreams = new OpenStreams();
  readonly #controller = new AbortController();
  readonly #options: RunningTaskOptions;
  readonly #stopTimer: () => void;
  #stored: StoredTask;
  /** The last change, which the next one has to wait for. */
  #changing: Promise<unknown> = Promise.resolve();
  #questions = 0;
  #isOver = false;

  constructor(options: RunningTaskOptions) {
    const { stored, expired } = options;
    this.#options = options;
    this.#stored = stored;
    this.#stopTimer = inBackground(stored.task.ttl ?? Infinity, expired);
  }

  get id(): string {
    return this.#stored.task.taskId;
  }

  get owner(): string {
    return this.#stored.owner;
  }

  /** Aborts when nobody wants the result any more. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Asks the peer on the stream of a request for the result, and again on the next one if that goes away. */
  async ask(
    method: string | CustomMessage,
    params: unknown,
    options: RequestOptions = {},
  ): Promise<unknown> {
    const signal = options.signal ? AbortSignal.any([options.signal, this.signal]) : this.signal;
    this.#questions += 1;
    if (this.#questions === 1) void this.#become("input_required");
    try {
      for (;;) {
        const stream = await this.streams.next(signal);
        try {
          const marked = markedForTask(params, this.id);
          return await (stream.request as Send)(method, marked, { ...options, signal });
        } catch (error) {
          if (signal.aborted) throw error;
          if (error instanceof LifecycleError) this.streams.retire(stream);
          else if (!stream.signal.aborted) throw error;
        }
      }
    } finally {
      this.#questions -= 1;
      if (this.#questions === 0) void this.#become("working");
    }
  }

  /** Tells the peer, on the stream of a request for the result if there is one. */
  tell(method: string | CustomMessage, params: unknown, session: Session): Promise<unknown> {
    if (this.#isOver) return Promise.resolve();
    const marked = markedForTask(params, this.id);
    const stream = this.streams.current;
    return stream
      ? (stream.notify as Send)(method, marked)
      : session.notify(method as string, marked);
  }

  /** Tells a line for people about the state of the work. */
  describe(message: string): void {
    if (!this.#isOver) void this.#change(this.#next(this.#stored.task.status, message));
  }

  /** Ends it with what its request came to. */
  async finish(status: "completed" | "failed", outcome: TaskOutcome, why?: string): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#change({ ...this.#next(status, why), outcome });
    this.#end(new Error("The task is over"));
  }

  /** Ends it because the peer wants that. Gives the task as it is then, unless it was over already. */
  async cancel(reason: Error): Promise<Task | undefined> {
    if (this.#isOver) return undefined;
    this.#isOver = true;
    const wasChanged = await this.#change(this.#next("cancelled", reason.message));
    this.#end(reason);
    this.#controller.abort(reason);
    return wasChanged ? this.#stored.task : undefined;
  }

  /** Ends it without telling anybody, because nobody can ask after it any more. */
  abandon(reason: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#end(reason);
    this.#controller.abort(reason);
  }

  async #become(status: TaskStatus): Promise<void> {
    if (!this.#isOver && this.#stored.task.status !== status)
      await this.#change(this.#next(status));
  }

  #change(stored: StoredTask): Promise<boolean> {
    this.#stored = stored;
    const changing = this.#changing.then(() => this.#options.change(stored));
    this.#changing = changing;
    return changing;
  }

  #next(status: TaskStatus, why?: string): StoredTask {
    const { statusMessage: _before, ...task } = this.#stored.task;
    const lastUpdatedAt = new Date().toISOString();
    const message = why === undefined ? {} : { statusMessage: why };
    const version = this.#stored.version + 1;
    return { ...this.#stored, version, task: { ...task, status, ...message, lastUpdatedAt } };
  }

  #end(reason: Error): void {
    this.#stopTimer();
    this.streams.close(reason);
    this.#options.ended();
  }
}
