/** Work that expires at its deadline. */
export interface Timed {
  /** Time on the clock of `performance.now()`, in milliseconds; while it is watched, it may move later, never earlier. */
  deadline: number;
  expire(): void;
}

/** Longest delay of `setTimeout`, in milliseconds; with a longer one it fires at once. */
export const LONGEST_DELAY: number = 2 ** 31 - 1;

/**
 * True on Bun, which sends the head of a response with the first byte of the body, and closes connections on which nothing
 * was sent for 10 seconds.
 */
export const HOLDS_SILENT_RESPONSES: boolean = /* @__PURE__ */ (() => "Bun" in globalThis)();

/**
 * True on Workers, where timers and signals belong to the request that created them. Its timers are gone when that request
 * is over, so they must not serve other requests. Another request must not abort its signal, but may resolve a promise that
 * it awaits.
 */
export const REQUESTS_OWN_IO: boolean = /* @__PURE__ */ (() =>
  (globalThis as { navigator?: { userAgent?: unknown } }).navigator?.userAgent ===
  "Cloudflare-Workers")();

/**
 * Watches many deadlines with one timer. Adding and removing touch the timer only when the earliest
 * deadline moves forward; the timer does not keep a process alive while nothing is watched.
 */
export class Deadlines {
  readonly #watched = new Set<Timed>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = Infinity;

  add(timed: Timed): void {
    if (timed.deadline === Infinity) return;
    this.#watched.add(timed);
    if (REQUESTS_OWN_IO) this.#setTimer(timed.deadline);
    else if (timed.deadline < this.#due) this.#arm(timed.deadline);
    else if (this.#watched.size === 1) setAlive(this.#timer, true);
  }

  delete(timed: Timed): void {
    if (this.#watched.delete(timed) && this.#watched.size === 0) setAlive(this.#timer, false);
  }

  /** Clears the timer if nothing is watched. */
  rest(): void {
    if (this.#watched.size > 0) return;
    clearTimeout(this.#timer);
    this.#due = Infinity;
  }

  #arm(due: number): void {
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = this.#setTimer(due);
  }

  #setTimer(due: number): ReturnType<typeof setTimeout> {
    const delay = Math.ceil(due - performance.now());
    return setTimeout(this.#fire, Math.min(Math.max(delay, 0), LONGEST_DELAY));
  }

  readonly #fire = (): void => {
    const now = performance.now();
    this.#due = Infinity;
    let next = Infinity;
    for (const timed of this.#watched) {
      if (timed.deadline <= now) {
        this.#watched.delete(timed);
        timed.expire();
      } else if (timed.deadline < next) {
        next = timed.deadline;
      }
    }
    if (next < this.#due) this.#arm(next);
  };
}

/** Sets whether a timer keeps its process alive; on platforms whose timers are numbers, no timer does. */
function setAlive(timer: unknown, alive: boolean): void {
  const { ref, unref } = (timer ?? {}) as { ref?: () => void; unref?: () => void };
  (alive ? ref : unref)?.call(timer);
}
