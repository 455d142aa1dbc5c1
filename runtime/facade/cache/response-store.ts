/** A result that is kept. */
export interface CacheEntry {
  /** Server of the entry: entries of different servers have nothing to do with each other. */
  readonly server: string;
  readonly method: string;
  /** Parameters of the request, without `_meta`. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The result as JSON. */
  readonly text: string;
  /**
   * Time of receipt, on the clock of `Date.now()`; the result is fresh from then until `expires`.
   */
  readonly received: number;
  readonly expires: number;
}

export interface ResponseStoreOptions {
  /** Results that are kept at a time; the ones that were used longest ago go first. Default: 1000. */
  readonly maxEntries?: number | undefined;
  /** Memory for them, in bytes. Default: 16 MiB. */
  readonly maxBytes?: number | undefined;
}

const MIB = 1024 * 1024;

/** Keeps results within bounds; several caches can share one. */
export class ResponseStore {
  readonly #maxEntries: number;
  readonly #maxBytes: number;
  /** The ones that were used longest ago first. */
  readonly #entries = new Map<string, CacheEntry>();
  #bytes = 0;
  #drops = 0;

  constructor({ maxEntries = 1000, maxBytes = 16 * MIB }: ResponseStoreOptions = {}) {
    this.#maxEntries = maxEntries;
    this.#maxBytes = maxBytes;
  }

  /** Results that are kept now. */
  get size(): number {
    return this.#entries.size;
  }

  /** Increases when something was found to hold no longer: what was asked for before that may be old. */
  get drops(): number {
    return this.#drops;
  }

  /** Entry of a key, if it is fresh. */
  get(key: string): CacheEntry | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#remove(key, entry);
    const now = Date.now();
    // A clock that was set back says nothing about the age of what it has seen.
    if (now >= entry.expires || now < entry.received) return undefined;
    this.#add(key, entry);
    return entry;
  }

  set(key: string, entry: CacheEntry): void {
    const before = this.#entries.get(key);
    if (before) this.#remove(key, before);
    if (sizeOf(key, entry) > this.#maxBytes) return;
    this.#add(key, entry);
    for (const [oldest, one] of this.#entries) {
      if (this.#entries.size <= this.#maxEntries && this.#bytes <= this.#maxBytes) return;
      this.#remove(oldest, one);
    }
  }

  /** Releases all entries that are no longer valid. */
  drop(isOver: (entry: CacheEntry) => boolean): void {
    this.#drops += 1;
    for (const [key, entry] of this.#entries) if (isOver(entry)) this.#remove(key, entry);
  }

  #add(key: string, entry: CacheEntry): void {
    this.#entries.set(key, entry);
    this.#bytes += sizeOf(key, entry);
  }

  #remove(key: string, entry: CacheEntry): void {
    this.#entries.delete(key);
    this.#bytes -= sizeOf(key, entry);
  }
}

/** Two bytes for each character, which is the most that an engine takes. */
function sizeOf(key: string, { text }: CacheEntry): number {
  return 2 * (key.length + text.length);
}
