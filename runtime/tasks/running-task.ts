import type { CustomMessage, HandlerContext, RequestOptions, Session } from "../api/index.js";
import { type ProgressSender, progressSender, rowOf } from "../engine/index.js";
import { quiet } from "../ground/index.js";
import { withRelatedTask } from "../rules/index.js";
import { LifecycleError } from "../wire/index.js";
import { TaskWork, type WorkHost } from "./calls/task-work.js";
import type { StoredTask } from "./task-store.js";

type Send = (
  method: string | CustomMessage,
  params: unknown,
  options?: RequestOptions,
) => Promise<unknown>;

/**
 * A running task whose requests and notifications are sent on the streams of the requests for its result (MCP: tasks,
 * input required).
 */
export class RunningTask extends TaskWork {
  readonly streams: OpenStreams;
  readonly owner: string;
  readonly #session: Session;
  readonly #progressMethod: string | undefined;
  readonly #progress: ProgressSender;

  constructor(
    stored: StoredTask,
    host: WorkHost,
    { meta, session }: Pick<HandlerContext, "meta" | "session">,
  ) {
    const streams = new OpenStreams();
    const ended = (): void => {
      streams.close(new Error("The task has ended"));
      host.ended();
    };
    super(stored, { ...host, ended });
    const { revision } = session;
    const method = rowOf(revision, "progress")?.method;
    this.streams = streams;
    this.owner = stored.owner;
    this.#session = session;
    this.#progressMethod = method;
    this.#progress = progressSender(meta, revision, (report) => {
      if (method) void quiet(this.#send(method, report));
    });
  }

  /**
   * Sends a request to the peer on one of this process's streams, or on a stream of another process, which finds the
   * request in the store.
   */
  override request(
    method: string | CustomMessage,
    params: unknown,
    options: RequestOptions = {},
  ): Promise<unknown> {
    const name = typeof method === "string" ? method : method.row.method;
    const marked = withRelatedTask(params, { taskId: this.view.id });
    const here = async (signal: AbortSignal): Promise<unknown> => {
      for (;;) {
        const stream = await this.streams.next(signal);
        try {
          return await (stream.request as Send)(method, marked, { ...options, signal });
        } catch (error) {
          if (signal.aborted) throw error;
          if (error instanceof LifecycleError) this.streams.retire(stream);
          else if (!stream.signal.aborted) throw error;
        }
      }
    };
    return this.ask(name, params, options, here);
  }

  override async notify(method: string | CustomMessage, params: unknown): Promise<void> {
    if (method === this.#progressMethod) this.#progress.noteOwn(params);
    await this.#send(method, params);
  }

  override progress(...report: Parameters<HandlerContext["progress"]>): void {
    this.#progress.report(...report);
  }

  /** Sends any progress that was held back, and then ends the task. */
  override finish(...outcome: Parameters<TaskWork["finish"]>): Promise<void> {
    this.#progress.finish();
    return super.finish(...outcome);
  }

  /** Notifies the peer on the stream of a request for the result, if there is such a request. */
  async #send(method: string | CustomMessage, params: unknown): Promise<void> {
    if (this.isOver) return;
    const marked = withRelatedTask(params, { taskId: this.view.id });
    const stream = this.streams.current;
    await (stream
      ? (stream.notify as Send)(method, marked)
      : this.#session.notify(method as string, marked));
  }
}

/**
 * The open requests for a task's result. The task's own requests and notifications are sent on their streams, because
 * the request that created the task was answered long ago (MCP: tasks, input required).
 */
export class OpenStreams {
  readonly #open = new Map<HandlerContext, () => void>();
  /** The contexts whose stream reaches the peer. */
  readonly #usable = new Set<HandlerContext>();
  readonly #wanted = new Set<WantedContext>();
  #end: Error | undefined;

  get current(): HandlerContext | undefined {
    return [...this.#usable].at(-1);
  }

  /** Waits until the task has ended, or the request for its result has. */
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

  async next(signal: AbortSignal | undefined): Promise<HandlerContext> {
    signal?.throwIfAborted();
    if (this.#end) throw this.#end;
    return this.current ?? this.#wait(signal);
  }

  retire(context: HandlerContext): void {
    this.#usable.delete(context);
  }

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
