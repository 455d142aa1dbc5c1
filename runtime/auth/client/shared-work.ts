import { untilAborted } from "./until-aborted.js";

/** Work that several callers wait for. It is aborted when nobody waits any more. */
export class SharedWork<T> {
  readonly #controller = new AbortController();
  readonly #result: Promise<T>;
  #waiting = 0;

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.#result = work(this.#controller.signal);
    this.#result.catch(() => {});
  }

  /** Waits for the result. @throws the signal's reason when that aborts */
  async join(signal: AbortSignal | null | undefined): Promise<T> {
    signal?.throwIfAborted();
    this.#waiting += 1;
    try {
      return await (signal ? untilAborted(this.#result, signal) : this.#result);
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#controller.abort();
    }
  }
}
