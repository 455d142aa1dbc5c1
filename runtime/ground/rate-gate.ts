/** Number of calls that pass at once, and number per second after that. */
const BURST = 100;
const PER_SECOND = 100;

/** Milliseconds after which one more passes. */
export const INTERVAL: number = 1000 / PER_SECOND;

/** Lets a burst pass, then a steady rate; the rest is for the caller to coalesce. */
export class RateGate {
  #tokens = BURST;
  #refilled = performance.now();

  pass(): boolean {
    if (this.#tokens < 1) {
      const now = performance.now();
      this.#tokens = Math.min(BURST, this.#tokens + ((now - this.#refilled) / 1000) * PER_SECOND);
      this.#refilled = now;
    }
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
