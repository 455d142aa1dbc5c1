/** The request that a result belongs to, and the owner of the result. */
export interface CacheKey {
  /** The server that returned the result. Entries from different servers are unrelated. */
  readonly server: string;
  /** The account that the result is for, or `*` for all accounts. */
  readonly owner: string;
  readonly method: string;
  /** The request's parameters without `_meta`, sorted by name. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** A stored result. */
export interface CacheEntry {
  /** The result as JSON. */
  readonly text: string;
  /** The time of receipt, on the `Date.now()` clock. The result is fresh from then until `expires`. */
  readonly received: number;
  readonly expires: number;
}

/** Selects outdated entries of one server. */
export interface CacheSelection {
  readonly server: string;
  /** The request methods whose results are outdated; undefined for all methods. */
  readonly methods?: readonly string[] | undefined;
  /**
   * The URI of a resource. Selects only entries for requests that concern this resource, one of its parents, or a
   * resource below it.
   */
  readonly uri?: string | undefined;
}

/**
 * Stores results for caches. The methods may return promises, so that several processes can share a store. Rejections
 * are reported to `onerror`, and the request is then sent to the server.
 */
export interface ResponseStore {
  /**
   * A counter that increases when the store finds entries to be outdated; undefined if the store cannot detect this.
   * The results of requests sent before an increase are not stored.
   */
  readonly drops?: number | undefined;
  /** Returns the entry for a key; it may be outdated. */
  get(key: CacheKey): CacheEntry | undefined | Promise<CacheEntry | undefined>;
  set(key: CacheKey, entry: CacheEntry): void | Promise<void>;
  /** Removes the selected entries. */
  drop(selection: CacheSelection): void | Promise<void>;
}

/** Returns true if a selection includes the entry. */
export function isSelected(
  { server, method, params }: CacheKey,
  { server: whose, methods, uri }: CacheSelection,
): boolean {
  if (server !== whose || methods?.includes(method) === false) return false;
  if (uri === undefined) return true;
  const requested = params["uri"];
  return typeof requested === "string" && (requested.startsWith(uri) || uri.startsWith(requested));
}

export interface MemoryResponseStoreOptions {
  /** The maximum number of results. The least recently used are removed first. Default: 1000. */
  readonly maxEntries?: number | undefined;
  /** The maximum memory for stored results, in bytes. Default: 16 MiB. */
  readonly maxBytes?: number | undefined;
}

interface Kept {
  readonly key: CacheKey;
  readonly entry: CacheEntry;
  readonly bytes: number;
}

const MIB = 1024 * 1024;

/** Stores results in this process, up to a maximum number and total size. Several caches can share one store. */
export class MemoryResponseStore implements ResponseStore {
  readonly #maxEntries: number;
  readonly #maxBytes: number;
  /** The stored results by key, the least recently used first. */
  readonly #entries = new Map<string, Kept>();
  #bytes = 0;
  #drops = 0;

  constructor({ maxEntries = 1000, maxBytes = 16 * MIB }: MemoryResponseStoreOptions = {}) {
    this.#maxEntries = maxEntries;
    this.#maxBytes = maxBytes;
  }

  /** The number of stored results. */
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
    // Two bytes per character is the most that an engine uses.
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

/**
 * Returns true until an entry expires. Returns false for an entry with a future receipt time: the clock was set back,
 * so the entry's age is unknown.
 */
export function isFresh({ received, expires }: CacheEntry): boolean {
  const now = Date.now();
  return now < expires && now >= received;
}

function nameOf({ server, owner, method, params }: CacheKey): string {
  return JSON.stringify([server, owner, method, params]);
}
