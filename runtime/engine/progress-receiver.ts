import { HandlerError, describeThrown } from "../wire/index.js";
import type { Progress } from "../api/index.js";
import { Throttle } from "../ground/index.js";

/** Who hears of a callback that fails. */
export interface ProgressOwner {
  report(error: Error): void;
}

/** Hands increasing values to a callback, and under a flood only the newest. */
export class ProgressReceiver {
  readonly #callback: (progress: Progress) => void;
  readonly #owner: ProgressOwner;
  readonly #throttle: Throttle<Progress> = new Throttle((news) => this.#call(news));
  #last = -Infinity;

  constructor(callback: (progress: Progress) => void, owner: ProgressOwner) {
    this.#callback = callback;
    this.#owner = owner;
  }

  receive(progress: Progress): boolean {
    if (!(progress.progress > this.#last)) return false;
    this.#last = progress.progress;
    this.#throttle.offer(progress);
    return true;
  }

  flush(): void {
    this.#throttle.flush();
  }

  stop(): void {
    this.#throttle.drop();
  }

  #call(progress: Progress): void {
    try {
      const result: unknown = this.#callback(progress);
      if (result instanceof Promise) result.catch(this.#failed);
    } catch (error) {
      this.#failed(error);
    }
  }

  readonly #failed = (error: unknown): void => {
    this.#owner.report(new HandlerError("onprogress", `failed: ${describeThrown(error)}`, error));
  };
}
