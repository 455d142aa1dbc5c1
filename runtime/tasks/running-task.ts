import type { ChangeTask } from "./task-records.js";
import type { CustomMessage, HandlerContext, RequestOptions, Session } from "../api/index.js";
import { LifecycleError } from "../wire/index.js";
import { inBackground, type StoredTask, type TaskOutcome } from "./task-store.js";
import { withRelatedTask } from "../rules/index.js";
import type { TaskStatus } from "./task.js";

/** A context's way to send anything, whatever the revision's types allow. */
type Send = (
  method: string | CustomMessage,
  params: unknown,
  options?: RequestOptions,
) => Promise<unknown>;

export interface RunningTaskOptions {
  /** Stores a change; returns undefined if the task has ended already. Never rejects. */
  readonly change: (change: ChangeTask) => Promise<StoredTask | undefined>;
  /** Called once, when the task does not run any longer. */
  readonly ended: () => void;
  /** Called if the task's lifetime is over before it has ended. */
  readonly expired: () => void;
}

/** A task that is worked on in this process: its status, its way to the peer, its end. */
export class RunningTask {
  readonly streams: OpenStreams = new OpenStreams();
  readonly #controller = new AbortController();
  readonly #options: RunningTaskOptions;
  readonly #stopTimer: () => void;
  readonly id: string;
  readonly owner: string;
  /** The last change, which the next one has to wait for. */
  #changing: Promise<unknown> = Promise.resolve();
  #questions = 0;
  #isOver = false;

  constructor({ task, owner }: StoredTask, options: RunningTaskOptions) {
    this.#options = options;
    this.id = task.taskId;
    this.owner = owner;
    this.#stopTimer = inBackground(task.ttl ?? Infinity, options.expired);
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
          const marked = withRelatedTask(params, { taskId: this.id });
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
    const marked = withRelatedTask(params, { taskId: this.id });
    const stream = this.streams.current;
    return stream
      ? (stream.notify as Send)(method, marked)
      : session.notify(method as string, marked);
  }

  /** Tells a line for people about the state of the work. */
  describe(message: string): void {
    if (!this.#isOver) void this.#change(() => ({ task: { statusMessage: message } }));
  }

  /** Ends it with what its request came to. */
  async finish(status: "completed" | "failed", outcome: TaskOutcome, why?: string): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#change(() => ({ task: { status, statusMessage: why }, outcome }));
    this.#end(new Error("The task is over"));
  }

  /** Ends it on behalf of the peer. Returns what is stored then, unless it had ended already. */
  async cancel(reason: Error): Promise<StoredTask | undefined> {
    if (this.#isOver) return undefined;
    this.#isOver = true;
    const statusMessage = reason.message;
    const stored = await this.#change(() => ({ task: { status: "cancelled", statusMessage } }));
    this.#end(reason);
    this.#controller.abort(reason);
    return stored;
  }

  /** Ends it without telling anybody, because nobody can ask after it any more. */
  abandon(reason: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#end(reason);
    this.#controller.abort(reason);
  }

  #become(status: TaskStatus): Promise<unknown> {
    return this.#change(({ task }) =>
      task.status === status ? undefined : { task: { status, statusMessage: undefined } },
    );
  }

  #change(change: ChangeTask): Promise<StoredTask | undefined> {
    const changing = this.#changing.then(() => this.#options.change(change));
    this.#changing = changing;
    return changing;
  }

  #end(reason: Error): void {
    this.#stopTimer();
    this.streams.close(reason);
    this.#options.ended();
  }
}

/**
 * The requests for a task's result that wait for it. What the task asks and tells meanwhile travels with them, because
 * its own request was answered long ago (MCP: tasks, input required).
 */
export class OpenStreams {
  /** Each with what lets go of it. */
  readonly #open = new Map<HandlerContext, () => void>();
  /** Contexts whose stream reaches the peer. */
  readonly #usable = new Set<HandlerContext>();
  readonly #wanted = new Set<WantedContext>();
  #end: Error | undefined;

  /** The newest, if there is one. */
  get current(): HandlerContext | undefined {
    return [...this.#usable].at(-1);
  }

  /** Waits until the task is over, or nobody waits for its result on this stream any more. */
  serve(context: HandlerContext): Promise<void> {
    if (this.#end || context.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        this.#open.delete(context);
        this.#usable.delete(context);
        context.signal.removeEventListener("abort", done);
        resolve();
      };
      this.#open.set(context, done);
      this.#usable.add(context);
      context.signal.addEventListener("abort", done);
      for (const wanted of this.#wanted) wanted.resolve(context);
      this.#wanted.clear();
    });
  }

  /**
   * The newest stream, or the next one.
   * @throws why the task is over; the reason of a signal that aborts
   */
  async next(signal: AbortSignal | undefined): Promise<HandlerContext> {
    signal?.throwIfAborted();
    if (this.#end) throw this.#end;
    return this.current ?? this.#wait(signal);
  }

  /** A stream turned out not to reach the peer any more. */
  retire(context: HandlerContext): void {
    this.#usable.delete(context);
  }

  /** The task is over: lets go of all streams. */
  close(reason: Error): void {
    this.#end = reason;
    for (const done of this.#open.values()) done();
    for (const wanted of this.#wanted) wanted.reject(reason);
    this.#wanted.clear();
  }

  async #wait(signal: AbortSignal | undefined): Promise<HandlerContext> {
    let abort: (() => void) | undefined;
    try {
      return await new Promise((resolve, reject) => {
        const wanted = { resolve, reject };
        this.#wanted.add(wanted);
        abort = () => {
          this.#wanted.delete(wanted);
          reject(signal!.reason as Error);
        };
        signal?.addEventListener("abort", abort);
      });
    } finally {
      if (abort) signal?.removeEventListener("abort", abort);
    }
  }
}

interface WantedContext {
  resolve(context: HandlerContext): void;
  reject(reason: Error): void;
}
