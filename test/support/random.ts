/** A sequence that depends only on the seed (mulberry32). */
export class Random {
  #state: number;

  /** @param seed - Any text. */
  constructor(seed: string) {
    this.#state = [...seed].reduce((hash, character) => {
      return Math.imul(hash ^ character.codePointAt(0)!, 0x01000193) >>> 0;
    }, 0x811c9dc5);
  }

  /** Returns an integer from 0 up to, but not including, `limit`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
}

/** Returns a function that yields numbers from 0 to 1, the same ones for the same seed. */
export function randomOf(seed: number): () => number {
  const random = new Random(String(seed));
  return () => random.below(2 ** 32) / 2 ** 32;
}
