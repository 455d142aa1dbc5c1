import { HandlerError, describeThrown } from "../../wire/index.js";
import type { Progress } from "../../api/index.js";
import { Throttle } from "../../ground/index.js";

/** Hands increasing values to a callback, and under a flood only the newest. */
export class ProgressReceiver {
  readonly #callback: (progress: Progress) => void;
  readonly #report: (error: Error) => void;
  readonly #throttle: Throttle<Progress> = new Throttle((news) => this.#call(news));
  #last = -Infinity;

  constructor(callback: (progress: Progress) => void, report: (error: Error) => void) {
    this.#callback = callback;
    this.#report = report;
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
    this.#report(new HandlerError("onprogress", `failed: ${describeThrown(error)}`, error));
  };
}
