/** Request that a result is the answer to, and whose it is. */
export interface CacheKey {
  /** Server that has answered: entries of different servers have nothing to do with each other. */
  readonly server: string;
  /** Account that the result is for; `*` for everybody. */
  readonly owner: string;
  readonly method: string;
  /** Parameters of the request in the order of their names, without `_meta`. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** A result that is kept. */
export interface CacheEntry {
  /** The result as JSON. */
  readonly text: string;
  /** Time of receipt, on the clock of `Date.now()`; the result is fresh from then until `expires`. */
  readonly received: number;
  readonly expires: number;
}

/** Entries of one server that hold no longer. */
export interface CacheSelection {
  readonly server: string;
  /** Methods of their requests; undefined for all. */
  readonly methods?: readonly string[] | undefined;
  /** A resource: it is an entry of a request for it, for something that contains it, or for something in it. */
  readonly uri?: string | undefined;
}

/**
 * Keeps results for caches. Its methods may return promises, for a store that several processes share; one that rejects is
 * reported to `onerror`, and the server is asked.
 */
export interface ResponseStore {
  /** Increases when something was found to hold no longer, where the store can tell: what was asked for before is not kept. */
  readonly drops?: number | undefined;
  /** Entry of a key; it need not be fresh. */
  get(key: CacheKey): CacheEntry | undefined | Promise<CacheEntry | undefined>;
  set(key: CacheKey, entry: CacheEntry): void | Promise<void>;
  /** Releases entries. */
  drop(selection: CacheSelection): void | Promise<void>;
}

/** True for an entry that a selection is about. */
export function isSelected(
  { server, method, params }: CacheKey,
  { server: whose, methods, uri }: CacheSelection,
): boolean {
  if (server !== whose || methods?.includes(method) === false) return false;
  if (uri === undefined) return true;
  const asked = params["uri"];
  return typeof asked === "string" && (asked.startsWith(uri) || uri.startsWith(asked));
}

export interface MemoryResponseStoreOptions {
  /** Results that are kept at a time; the ones that were used longest ago go first. Default: 1000. */
  readonly maxEntries?: number | undefined;
  /** Memory for them, in bytes. Default: 16 MiB. */
  readonly maxBytes?: number | undefined;
}

interface Kept {
  readonly key: CacheKey;
  readonly entry: CacheEntry;
  readonly bytes: number;
}

const MIB = 1024 * 1024;

/** Keeps results within bounds, in this process; several caches can share one. */
export class MemoryResponseStore implements ResponseStore {
  readonly #maxEntries: number;
  readonly #maxBytes: number;
  /** The ones that were used longest ago first. */
  readonly #entries = new Map<string, Kept>();
  #bytes = 0;
  #drops = 0;

  constructor({ maxEntries = 1000, maxBytes = 16 * MIB }: MemoryResponseStoreOptions = {}) {
    this.#maxEntries = maxEntries;
    this.#maxBytes = maxBytes;
  }

  /** Results that are kept now. */
  get size(): number {
    return this.#entries.size;
  }

  get drops(): number {
    return this.#drops;
  }

  get(key: CacheKey): CacheEntry | undefined {
    const name = nameOf(key);
    const kept = this.#entries.get(name);
    if (kept === undefined) return undefined;
    this.#remove(name, kept);
    if (!isFresh(kept.entry)) return undefined;
    this.#add(name, kept);
    return kept.entry;
  }

  set(key: CacheKey, entry: CacheEntry): void {
    const name = nameOf(key);
    const before = this.#entries.get(name);
    if (before) this.#remove(name, before);
    // Two bytes for each character, which is the most that an engine takes.
    const bytes = 2 * (name.length + entry.text.length);
    if (bytes > this.#maxBytes) return;
    this.#add(name, { key, entry, bytes });
    for (const [oldest, one] of this.#entries) {
      if (this.#entries.size <= this.#maxEntries && this.#bytes <= this.#maxBytes) return;
      this.#remove(oldest, one);
    }
  }

  drop(selection: CacheSelection): void {
    this.#drops += 1;
    for (const [name, kept] of this.#entries) {
      if (isSelected(kept.key, selection)) this.#remove(name, kept);
    }
  }

  #add(name: string, kept: Kept): void {
    this.#entries.set(name, kept);
    this.#bytes += kept.bytes;
  }

  #remove(name: string, { bytes }: Kept): void {
    this.#entries.delete(name);
    this.#bytes -= bytes;
  }
}

/** True before the end of an entry's time. A clock that was set back says nothing about the age of what it has seen. */
export function isFresh({ received, expires }: CacheEntry): boolean {
  const now = Date.now();
  return now < expires && now >= received;
}

function nameOf({ server, owner, method, params }: CacheKey): string {
  return JSON.stringify([server, owner, method, params]);
}
