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
    let stop: (() => void) | undefined;
    const aborted = new Promise<never>((_, reject) => {
      stop = () => reject(signal?.reason as Error);
      signal?.addEventListener("abort", stop, { once: true });
    });
    try {
      return await Promise.race([this.#result, aborted]);
    } finally {
      signal?.removeEventListener("abort", stop!);
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#controller.abort();
    }
  }
}
