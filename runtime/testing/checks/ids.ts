import type { RequestId } from "@mcp-codegen/runtime";

/** The maximum number of strings that a set remembers. */
const STRINGS = 50_000;
/** The maximum number of integer intervals that a set remembers. */
const INTERVALS = 1000;

/** Returns an id's key, in which 1 and "1" differ. */
export function keyOf(id: unknown): string {
  return JSON.stringify(id) ?? "";
}

/**
 * A set of ids in bounded memory. Consecutive integers are stored as one interval, and the oldest strings and intervals
 * are forgotten.
 */
export class IdSet {
  readonly #strings = new Set<string>();
  /** Maps the start of each interval to its end. */
  readonly #ends = new Map<number, number>();
  /** Maps the end of each interval to its start. */
  readonly #starts = new Map<number, number>();

  add(id: RequestId): void {
    if (typeof id === "string") {
      this.#strings.add(id);
      if (this.#strings.size > STRINGS) this.#strings.delete(this.#strings.keys().next().value!);
      return;
    }
    if (this.has(id)) return;
    const start = this.#starts.get(id - 1) ?? id;
    const end = this.#ends.get(id + 1) ?? id;
    this.#starts.delete(id - 1);
    this.#ends.delete(id + 1);
    this.#ends.delete(start);
    this.#ends.set(start, end);
    this.#starts.set(end, start);
    if (this.#ends.size > INTERVALS) {
      const [oldest, last] = this.#ends.entries().next().value!;
      this.#ends.delete(oldest);
      this.#starts.delete(last);
    }
  }

  has(id: RequestId): boolean {
    if (typeof id === "string") return this.#strings.has(id);
    if (this.#ends.has(id) || this.#starts.has(id)) return true;
    for (const [start, end] of this.#ends) if (start <= id && id <= end) return true;
    return false;
  }
}
