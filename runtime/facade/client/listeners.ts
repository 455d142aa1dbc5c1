import { HandlerError, describeThrown } from "../../wire/index.js";

/** A listener, whatever it is called with. */
export type Listener = (...news: never) => unknown;

/** Listeners by event. */
export class Listeners {
  readonly #report: (error: Error) => void;
  readonly #listeners = new Map<string, Set<Listener>>();

  constructor(report: (error: Error) => void) {
    this.#report = report;
  }

  /** True when somebody waits for what a server tells. */
  get areForNews(): boolean {
    for (const event of this.#listeners.keys()) if (event !== "close") return true;
    return false;
  }

  has(event: string): boolean {
    return this.#listeners.has(event);
  }

  add(event: string, listener: Listener): void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
  }

  delete(event: string, listener: Listener): void {
    const listeners = this.#listeners.get(event);
    if (listeners?.delete(listener) && listeners.size === 0) this.#listeners.delete(event);
  }

  /** Calls the listeners of an event. One that fails is reported, and the others are still called. */
  tell(event: string, ...news: readonly unknown[]): void {
    for (const listener of this.#listeners.get(event) ?? []) {
      callListener(
        event,
        () => (listener as (...given: readonly unknown[]) => unknown)(...news),
        this.#report,
      );
    }
  }
}

/** Calls a listener that may throw, or give a promise that rejects. */
export function callListener(
  what: string,
  call: () => unknown,
  report: (error: Error) => void,
): void {
  const failed = (error: unknown): void =>
    report(new HandlerError(what, `failed: ${describeThrown(error)}`, error));
  try {
    const result = call();
    if (result instanceof Promise) result.catch(failed);
  } catch (error) {
    failed(error);
  }
}
