import { reporter } from "../reporter.js";
import { StoreError } from "../session-sharing.js";

/** Milliseconds without a failure after which a store counts as back, so that a next failure is reported. */
const CALM = 1000;

/** Way to the stores: their failures become errors of one kind, and each outage is reported once. */
export class StoreAccess {
  readonly #timeout: number;
  readonly #report: (error: Error) => void;
  /** Time of the last failure that no long calm has followed, on the clock of `performance.now()`. */
  #failed: number | undefined;
  readonly #underWay = new Set<Promise<unknown>>();

  /** @param timeout - milliseconds that a store may take */
  constructor(timeout: number, onerror: ((error: Error) => void) | undefined) {
    this.#timeout = timeout;
    this.#report = reporter(onerror);
  }

  /** @throws StoreError */
  async to<Value>(work: Promise<Value>): Promise<Value> {
    const bounded = this.#bounded(work);
    this.#underWay.add(bounded);
    try {
      const value = await bounded;
      this.#worked();
      return value;
    } catch (error) {
      throw this.#failure(error as Error);
    } finally {
      this.#underWay.delete(bounded);
    }
  }

  /** @returns undefined also for what has failed */
  async quietly<Value>(work: Promise<Value>): Promise<Value | undefined> {
    try {
      return await this.to(work);
    } catch {
      return undefined;
    }
  }

  /** Waits until nothing is asked of the stores any more: from then on, they may be closed. */
  async finish(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
  }

  #bounded<Value>(work: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      const late = (): void => reject(new Error(`no answer within ${this.#timeout} ms (timeout)`));
      const timer = setTimeout(late, this.#timeout);
      work.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  #worked(): void {
    if (this.#failed !== undefined && performance.now() - this.#failed > CALM)
      this.#failed = undefined;
  }

  #failure(cause: Error): StoreError {
    const error = new StoreError(`The store of shared sessions has failed: ${cause.message}`, {
      cause,
    });
    const isKnown = this.#failed !== undefined;
    this.#failed = performance.now();
    if (!isKnown) this.#report(error);
    return error;
  }
}
