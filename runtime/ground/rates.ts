import { REQUESTS_OWN_IO } from "./deadlines.js";

/** Calls that pass at once, and calls per second after that. */
const BURST = 100;
const PER_SECOND = 100;

/** Milliseconds until one more call passes. */
const INTERVAL = 1000 / PER_SECOND;

/** Rate limit with a burst; callers coalesce what does not pass. */
export class RateGate {
  readonly #burst: number;
  readonly #perSecond: number;
  #tokens: number;
  #refilled = performance.now();

  constructor(burst: number = BURST, perSecond: number = PER_SECOND) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#tokens = burst;
  }

  /** True if the call is within the limit; counts it. */
  pass(): boolean {
    if (this.#tokens < 1) {
      const now = performance.now();
      const refill = ((now - this.#refilled) / 1000) * this.#perSecond;
      this.#tokens = Math.min(this.#burst, this.#tokens + refill);
      this.#refilled = now;
    }
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}

/**
 * Passes values on; above the rate limit, only the newest. Each value is passed on or replaced by a newer one within an
 * interval.
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
      if (this.#timer === undefined || REQUESTS_OWN_IO)
        this.#timer = setTimeout(this.#due, INTERVAL);
    }
  }

  /** Passes on the held value. */
  flush(): void {
    const held = this.#held;
    this.drop();
    if (held) this.#pass(held);
  }

  /** Discards the held value. */
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
