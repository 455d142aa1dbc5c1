import { LONGEST_DELAY } from "../../ground/index.js";

/** Calls back at an interval for as long as there is something to do, without keeping the process alive for it. */
export class IntervalTimer {
  readonly #milliseconds: number;
  readonly #beat: () => boolean;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param beat - returns whether there is anything left to do */
  constructor(milliseconds: number, beat: () => boolean) {
    this.#milliseconds = Math.min(milliseconds, LONGEST_DELAY);
    this.#beat = beat;
  }

  /** There is something to do. */
  start(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(this.#tick, this.#milliseconds);
    (this.#timer as { unref?: () => void }).unref?.();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  readonly #tick = (): void => {
    if (!this.#beat()) this.stop();
  };
}
