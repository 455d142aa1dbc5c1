import { LONGEST_DELAY } from "../../ground/index.js";

/** The wait for what is under way, when no more is to come. */
export class Drain {
  readonly #waiting = new Set<() => void>();

  /** Resolves when {@link finish} is called, or when the time is over. */
  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, Math.min(milliseconds, LONGEST_DELAY));
      this.#waiting.add(end);
    });
  }

  /** Nothing is under way any more. */
  finish(): void {
    for (const end of this.#waiting) end();
  }
}
