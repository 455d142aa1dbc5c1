/**
 * A map of what is in progress, such as unanswered requests. After every few changes, V8 moves the entries of a `Map` to
 * another table. Once the `Map` has survived a while, each table that it leaves behind keeps its entries alive until the
 * next full garbage collection: with eight requests in progress, half of the memory that requests use. This map
 * therefore replaces its `Map` so often that it stays young.
 */
export class TransientMap<Key, Value> {
  #map = new Map<Key, Value>();
  /** The number of entries added since the `Map` was created. */
  #added = 0;

  get size(): number {
    return this.#map.size;
  }

  get(key: Key): Value | undefined {
    return this.#map.get(key);
  }

  has(key: Key): boolean {
    return this.#map.has(key);
  }

  set(key: Key, value: Value): void {
    this.#map.set(key, value);
    this.#added += 1;
    if (this.#added < 16 + 2 * this.size) return;
    this.#map = new Map(this.#map);
    this.#added = 0;
  }

  delete(key: Key): boolean {
    return this.#map.delete(key);
  }

  keys(): Iterable<Key> {
    return this.#map.keys();
  }

  values(): Iterable<Value> {
    return this.#map.values();
  }

  [Symbol.iterator](): Iterator<[Key, Value]> {
    return this.#map[Symbol.iterator]();
  }
}

/** Counters by key. A key whose count is 0 takes up no memory. */
export interface Tally<Key> {
  readonly of: (key: Key) => number;
  readonly greatest: () => Key | undefined;
  readonly add: (key: Key, change: 1 | -1) => void;
}

export function tally<Key>(): Tally<Key> {
  const counts = new Map<Key, number>();
  return {
    of: (key) => counts.get(key) ?? 0,
    greatest() {
      let greatest: Key | undefined;
      let most = 0;
      for (const [key, count] of counts) {
        if (count <= most) continue;
        greatest = key;
        most = count;
      }
      return greatest;
    },
    add(key, change) {
      const count = (counts.get(key) ?? 0) + change;
      if (count > 0) counts.set(key, count);
      else counts.delete(key);
    },
  };
}

/**
 * Creates a function that returns true for the first call with each key, and false for later calls with that key. After
 * `most` different keys, it returns false for every key.
 */
export function oncePerKey(most: number): (key: string) => boolean {
  const known = new Set<string>();
  return (key) => {
    if (known.size >= most || known.has(key)) return false;
    known.add(key);
    return true;
  };
}

/**
 * Creates a function that computes its value only once for all lists that have the same items in the same order,
 * because programs may create a server for each request. Callers share the value and must not change it. Only the last
 * eight lists with the same first item are remembered.
 */
export function oncePerList<Item extends object, Value>(
  compute: (list: readonly Item[]) => Value,
): (list: readonly Item[]) => Value {
  const known = new WeakMap<Item, { readonly list: readonly Item[]; readonly value: Value }[]>();
  return (list) => {
    const first = list[0];
    if (!first) return compute(list);
    const entries = known.get(first) ?? [];
    const same = entries.find(
      (entry) => entry.list.length === list.length && entry.list.every((one, n) => one === list[n]),
    );
    if (same) return same.value;
    const value = compute(list);
    known.set(first, [...entries.slice(-7), { list: [...list], value }]);
    return value;
  };
}
