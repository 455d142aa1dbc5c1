import { LONGEST_DELAY } from "../../ground/index.js";
import { HttpError } from "./errors.js";

/** Time that a server may take to accept a message without an answer, in milliseconds. */
export const ACCEPT_TIME = 30_000;

/** Pieces of work that can be aborted together, each with a time of its own. */
export class TimedWork {
  readonly #controllers = new Set<AbortController>();

  /**
   * Does something that ends when its signal aborts.
   * @throws what it throws; the signal's reason is an HttpError when the time was over
   */
  async within<T>(milliseconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    this.#controllers.add(controller);
    const late = (): void => {
      controller.abort(new HttpError(`The server did not accept it within ${milliseconds} ms`));
    };
    const timer = milliseconds > LONGEST_DELAY ? undefined : setTimeout(late, milliseconds);
    try {
      return await work(controller.signal);
    } finally {
      clearTimeout(timer);
      this.#controllers.delete(controller);
    }
  }

  abort(): void {
    for (const controller of this.#controllers) controller.abort();
  }
}
