/** Counts by key, for as long as there is anything to count. */
export class Tally<Key> {
  readonly #counts = new Map<Key, number>();

  of(key: Key): number {
    return this.#counts.get(key) ?? 0;
  }

  /** Key with the greatest count. */
  greatest(): Key | undefined {
    let greatest: Key | undefined;
    let most = 0;
    for (const [key, count] of this.#counts) {
      if (count <= most) continue;
      greatest = key;
      most = count;
    }
    return greatest;
  }

  add(key: Key, change: 1 | -1): void {
    const count = this.of(key) + change;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}
