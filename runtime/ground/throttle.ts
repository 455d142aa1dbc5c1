import { INTERVAL, RateGate } from "./rate-gate.js";

/**
 * Passes values on, and of a flood only the newest: each of them is passed on, or replaced by a newer one, within
 * an interval.
 */
export class Throttle<Value extends object> {
  readonly #pass: (value: Value) => void;
  readonly #gate = new RateGate();
  #held: Value | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(pass: (value: Value) => void) {
    this.#pass = pass;
  }

  offer(value: Value): void {
    if (this.#held === undefined && this.#gate.pass()) {
      this.#pass(value);
    } else {
      this.#held = value;
      this.#timer ??= setTimeout(this.#due, INTERVAL);
    }
  }

  /** Passes on what is held back. */
  flush(): void {
    const held = this.#held;
    this.drop();
    if (held) this.#pass(held);
  }

  /** Forgets what is held back. */
  drop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#held = undefined;
  }

  readonly #due = (): void => {
    this.#gate.pass();
    this.flush();
  };
}
