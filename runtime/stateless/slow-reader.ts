import type { BusEvent } from "../api/index.js";

/** Messages that may wait for a reader at once, and different ones that are held back after that. */
const MOST_WAITING = 64;
const MOST_HELD = 1024;

/**
 * Sends news to a reader that may be slow: while too many wait, those that are held back are sent once, however often
 * they come up meanwhile.
 */
export class SlowReader {
  readonly #send: (event: BusEvent) => Promise<void>;
  readonly #held = new Map<string, BusEvent>();
  #waiting = 0;

  /** @param send - resolves when there is room for more; never rejects */
  constructor(send: (event: BusEvent) => Promise<void>) {
    this.#send = send;
  }

  /** False when the reader is so slow that news would be lost. */
  tell(event: BusEvent): boolean {
    if (this.#waiting < MOST_WAITING) {
      this.#sendNow(event);
      return true;
    }
    const key = JSON.stringify([event.method, event.params]);
    if (!this.#held.has(key) && this.#held.size >= MOST_HELD) return false;
    this.#held.set(key, event);
    return true;
  }

  /** Discards buffered messages. */
  stop(): void {
    this.#held.clear();
  }

  #sendNow(event: BusEvent): void {
    this.#waiting += 1;
    void this.#send(event).then(() => this.#sent());
  }

  #sent(): void {
    this.#waiting -= 1;
    for (const [key, event] of this.#held) {
      this.#held.delete(key);
      return this.#sendNow(event);
    }
  }
}
