import type { Work } from "./work.js";

/**
 * Tells arrays with equal items from others in linear time, as the library compares each item with each other.
 * The library does not say which array it looks at: it is given copies that tell when their length is read.
 */
export class UniqueItems {
  readonly #work: Work;
  /** The array that was looked at last. */
  #current: readonly unknown[] = [];
  readonly #repetitive = new Map<readonly unknown[], boolean>();
  /** A number for each value, the same for equal ones. */
  readonly #numbers = new Map<unknown, number>();
  /** The same for what an array or object consists of, as the numbers of that. */
  readonly #texts = new Map<string, number>();

  constructor(work: Work) {
    this.#work = work;
  }

  /** A copy of a JSON value that can be looked at. */
  watch(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) {
      return new Proxy(
        value.map((item) => this.watch(item)),
        { get: (items, name) => this.#read(value, items, name) },
      );
    }
    const copy = Object.create(null) as Record<string, unknown>;
    for (const [name, member] of Object.entries(value)) copy[name] = this.watch(member);
    return copy;
  }

  /** True when the array that was looked at last has equal items. */
  isRepetitive(): boolean {
    const items = this.#current;
    const known = this.#repetitive.get(items);
    if (known !== undefined) return known;
    const isRepetitive = new Set(items.map((item) => this.#numberOf(item))).size < items.length;
    this.#repetitive.set(items, isRepetitive);
    return isRepetitive;
  }

  #read(value: readonly unknown[], items: unknown[], name: string | symbol): unknown {
    if (name === "length") this.#current = value;
    return Reflect.get(items, name);
  }

  #numberOf(value: unknown): number {
    this.#work.spend();
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    const isSimple = typeof value !== "object" || value === null;
    const number = isSimple ? this.#numbers.size : this.#numberOfText(this.#textOf(value));
    this.#numbers.set(value, number);
    return number;
  }

  #numberOfText(text: string): number {
    const number = this.#texts.get(text) ?? this.#numbers.size;
    this.#texts.set(text, number);
    return number;
  }

  #textOf(value: object): string {
    if (Array.isArray(value)) return `[${value.map((item) => this.#numberOf(item)).join()}`;
    const members = Object.entries(value).map(
      ([name, member]) => `${this.#numberOf(name)}:${this.#numberOf(member)}`,
    );
    return `{${members.toSorted().join()}`;
  }
}
