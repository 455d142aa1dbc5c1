import { quiet } from "../../ground/index.js";
import { ConnectionClosedError } from "../../wire/index.js";

/**
 * Schedule for restarting a server that has ended. Times are in milliseconds; each failure doubles
 * the wait.
 */
export interface Restart {
  /** Maximum number of consecutive restarts of a server that keeps ending. Default: 5. */
  readonly retries?: number | undefined;
  /** Wait before the second consecutive restart; the first one is immediate. Default: 500. */
  readonly initialDelay?: number | undefined;
  /** Default: 10 000. */
  readonly maxDelay?: number | undefined;
}

/** Time after which a running server resets the count of restarts, in milliseconds. */
const STEADY = 30_000;

/** Counts the ends of a server, and decides when it may be restarted. */
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

  /** Milliseconds until the next start; undefined if there is no further one. */
  next(): number | undefined {
    const { retries = 5, initialDelay = 500, maxDelay = 10_000 } = this.#options;
    const before = this.#failures;
    this.#failures += 1;
    if (before >= retries) return undefined;
    return before === 0 ? 0 : Math.min(initialDelay * 2 ** (before - 1), maxDelay);
  }
}

/** Dependencies of a connection that is opened again after it has ended. */
export interface LiveConnectionOptions {
  /** Opens the connection, also again; the signal aborts when it is no longer needed. */
  open(signal: AbortSignal | undefined): Promise<void>;
  /** True if the last opened connection is closed. */
  isOver(): boolean;
  /** Returns the end of the last opened connection. */
  ended(): Promise<Error | undefined>;
  /**
   * True if the connection is needed although nothing is sent, because listeners wait for
   * notifications.
   */
  isNeeded(): boolean;
  /** Called after reopening: the server has no state of this client. */
  reopened(): void;
  /** Called with the error of each end except the last. */
  report(error: Error): void;
}

/**
 * Connection to a server that is restarted when it ends unexpectedly (MCP: stdio, lifecycle of the
 * process).
 */
export class LiveConnection {
  /** Resolves when it is closed for good, with the error that ended it, if one did. */
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

  /**
   * Resolves when messages can be sent; undefined if they can be sent now, or never again. Reopens
   * the connection.
   */
  get ready(): Promise<void> | undefined {
    if (this.#schedule === undefined) return undefined;
    if (this.#reopening !== undefined) return this.#reopening;
    if (!this.#options.isOver()) return undefined;
    this.#reopening = quiet(this.#reopen(this.#schedule));
    return this.#reopening;
  }

  /** Closes the connection for good. */
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

  /** @throws ConnectionClosedError if it cannot be reopened */
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

/** Resolves when the time has passed or the signal aborts. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      resolve();
    };
    const timer = setTimeout(stop, milliseconds);
    signal.addEventListener("abort", stop, { once: true });
  });
}

/**
 * Waits for a promise.
 * @throws the signal's reason if that aborts first
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
