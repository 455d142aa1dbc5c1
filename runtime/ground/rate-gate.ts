/** Number of calls that pass at once, and number per second after that. */
const BURST = 100;
const PER_SECOND = 100;

/** Milliseconds after which one more passes. */
export const INTERVAL: number = 1000 / PER_SECOND;

/** Lets a burst pass, then a steady rate; the rest is for the caller to coalesce. */
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

  pass(): boolean {
    if (this.#tokens < 1) {
      const now = performance.now();
      this.#tokens = Math.min(
        this.#burst,
        this.#tokens + ((now - this.#refilled) / 1000) * this.#perSecond,
      );
      this.#refilled = now;
    }
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
