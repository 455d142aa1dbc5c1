type Definition = Readonly<Record<string, unknown>>;

/** Maximum number of tools of one server that are remembered. */
const MOST = 20_000;

/** Tools that a server has listed in one conversation since its list last changed, as far as the policy needs them. */
export class ListedTools {
  readonly #byName = new Map<string, Definition>();
  #isWhole = false;
  #until = Infinity;

  /** True once the server has said that its list may be out of date. */
  get isStale(): boolean {
    return performance.now() >= this.#until;
  }

  /**
   * @param needed - returns the part of a definition that is remembered
   * @param lifetime - milliseconds until the list may be out of date
   */
  learn(
    definitions: readonly Definition[],
    needed: (definition: Definition) => Definition,
    lifetime: number,
  ): void {
    this.#until = Math.min(this.#until, performance.now() + lifetime);
    for (const one of definitions) {
      const name = String(one["name"]);
      if (this.#byName.size < MOST || this.#byName.has(name)) this.#byName.set(name, needed(one));
    }
  }

  /** Notes that all tools have been listed, so that a name that is unknown remains so. */
  complete(): void {
    this.#isWhole = true;
  }

  lacks(name: string): boolean {
    return !this.#isWhole && !this.#byName.has(name);
  }

  get(name: string): Definition | undefined {
    return this.#byName.get(name);
  }
}
