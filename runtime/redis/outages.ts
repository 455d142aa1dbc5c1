/** Milliseconds without a failure after which Redis counts as back, so that a next failure is reported. */
const CALM = 1000;

/** Reports the beginning of each outage, once. */
export class Outages {
  readonly #report: (error: Error) => void;
  /** Time of the last failure that no long calm has followed, on the clock of `performance.now()`. */
  #failed: number | undefined;

  constructor(onerror: ((error: Error) => void) | undefined) {
    this.#report = onerror ?? ((error) => console.error(`@mcp-codegen/redis: ${error.message}`));
  }

  failed(error: Error): void {
    const isKnown = this.#failed !== undefined;
    this.#failed = performance.now();
    if (isKnown) return;
    try {
      this.#report(error);
    } catch {
      // A log that fails cannot be told to anybody.
    }
  }

  worked(): void {
    if (this.#failed !== undefined && performance.now() - this.#failed > CALM)
      this.#failed = undefined;
  }
}
