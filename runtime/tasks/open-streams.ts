import type { HandlerContext } from "../api/index.js";

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
