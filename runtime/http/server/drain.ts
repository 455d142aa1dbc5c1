import { LONGEST_DELAY } from "../../ground/index.js";

/** The wait for what is under way, when no more is to come. */
export class Drain {
  #finish: (() => void) | undefined;

  /** Resolves when {@link finish} is called, or when the time is over. */
  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.min(milliseconds, LONGEST_DELAY));
      this.#finish = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Nothing is under way any more. */
  finish(): void {
    this.#finish?.();
  }
}
