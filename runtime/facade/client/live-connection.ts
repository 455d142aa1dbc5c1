import { quiet } from "../../ground/index.js";
import { ConnectionClosedError } from "../../wire/index.js";

/** Schedule of starting a server again that has ended. Times are in milliseconds; each failure doubles the wait. */
export interface Restart {
  /** Most restarts in a row, of a server that does not last. Default: 5. */
  readonly retries?: number | undefined;
  /** Wait before the second one in a row; the first one comes at once. Default: 500. */
  readonly initialDelay?: number | undefined;
  /** Default: 10 000. */
  readonly maxDelay?: number | undefined;
}

/** Time that a server has to last so that its end is the first one again, in milliseconds. */
const STEADY = 30_000;

/** Counts the ends of a server, and says when it may be started again. */
export class RestartSchedule {
  readonly #options: Restart;
  #failures = 0;

  constructor(options: Restart) {
    this.#options = options;
  }

  /** @param lasted - milliseconds */
  ended(lasted: number): void {
    if (lasted >= STEADY) this.#failures = 0;
  }

  /** Milliseconds until the next start; undefined when there is none any more. */
  next(): number | undefined {
    const { retries = 5, initialDelay = 500, maxDelay = 10_000 } = this.#options;
    const before = this.#failures;
    this.#failures += 1;
    if (before >= retries) return undefined;
    return before === 0 ? 0 : Math.min(initialDelay * 2 ** (before - 1), maxDelay);
  }
}

/** Needs of a connection that is opened again when it has ended. */
export interface LiveConnectionOptions {
  /** Opens it, also again; the signal aborts when it is not needed any more. */
  open(signal: AbortSignal | undefined): Promise<void>;
  /** True when the connection that was opened last is over. */
  isOver(): boolean;
  /** End of the connection that was opened last. */
  ended(): Promise<Error | undefined>;
  /** True when it is needed although nothing is sent: somebody waits for news. */
  isNeeded(): boolean;
  /** Called when it was opened again: the server knows nothing of this client. */
  reopened(): void;
  /** Called with the error of each end that is not the last one. */
  report(error: Error): void;
}

/** Connection to a server that is started again when it ends unexpectedly (MCP: stdio, lifecycle of the process). */
export class LiveConnection {
  /** Resolves when it is over for good, with the error that ended it, if one did. */
  readonly closed: Promise<Error | undefined>;
  readonly #options: LiveConnectionOptions;
  readonly #closing = new AbortController();
  #schedule: RestartSchedule | undefined;
  #end!: (error: Error | undefined) => void;
  #reopening: Promise<void> | undefined;

  constructor(options: LiveConnectionOptions) {
    this.#options = options;
    this.closed = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** @param schedule - for a server that can be started again */
  async open(schedule: RestartSchedule | undefined): Promise<void> {
    await this.#options.open(undefined);
    this.#schedule = schedule;
    this.#watch();
  }

  /** Resolves when messages can be sent; undefined when they can, or never will. Opens the connection again. */
  get ready(): Promise<void> | undefined {
    if (this.#schedule === undefined || !this.#options.isOver()) return undefined;
    return (this.#reopening ??= quiet(this.#reopen(this.#schedule)));
  }

  /** It is not needed any more. */
  close(): void {
    const isDown = this.#schedule !== undefined && this.#options.isOver();
    this.#closing.abort();
    this.#schedule = undefined;
    if (isDown) this.#end(undefined);
  }

  #watch(): void {
    const opened = performance.now();
    void this.#options.ended().then((error) => {
      if (this.#schedule === undefined) return this.#end(error);
      this.#schedule.ended(performance.now() - opened);
      this.#options.report(error ?? endedByServer());
      if (this.#options.isNeeded()) void this.ready;
    });
  }

  /** @throws ConnectionClosedError when it cannot be opened again */
  async #reopen(schedule: RestartSchedule): Promise<void> {
    const { signal } = this.#closing;
    let failure = (await this.#options.ended()) ?? endedByServer();
    for (;;) {
      const delay = schedule.next();
      if (delay === undefined) break;
      if (delay > 0) await pause(delay, signal);
      if (signal.aborted) {
        this.#end(undefined);
        throw new ConnectionClosedError("The connection was closed on this side");
      }
      try {
        await this.#options.open(signal);
        this.#reopening = undefined;
        this.#watch();
        return this.#options.reopened();
      } catch (error) {
        failure = error as Error;
      }
    }
    this.#schedule = undefined;
    this.#end(failure);
    const text = `The server has ended and cannot be started again (option restart): ${failure.message}`;
    throw new ConnectionClosedError(text, { cause: failure });
  }
}

function endedByServer(): ConnectionClosedError {
  return new ConnectionClosedError("The server has ended the connection");
}

/** Resolves when the time is over or the signal aborts. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const stop = (): void => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener("abort", stop, { once: true });
  });
}

/**
 * Waits for a promise.
 * @throws the signal's reason when that aborts before
 */
export async function abortable<Value>(
  promise: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (signal === undefined) return promise;
  signal.throwIfAborted();
  let stop!: () => void;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
