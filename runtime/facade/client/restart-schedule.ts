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
