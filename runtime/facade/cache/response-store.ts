/** Request that a result belongs to, and the owner of the result. */
export interface CacheKey {
  /** Server that returned the result. Entries of different servers are unrelated. */
  readonly server: string;
  /** Account that the result is for; `*` for all accounts. */
  readonly owner: string;
  readonly method: string;
  /** Parameters of the request in the order of their names, without `_meta`. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** Stored result. */
export interface CacheEntry {
  /** The result as JSON. */
  readonly text: string;
  /** Time of receipt, on the clock of `Date.now()`; the result is fresh from then until `expires`. */
  readonly received: number;
  readonly expires: number;
}

/** Selection of outdated entries of one server. */
export interface CacheSelection {
  readonly server: string;
  /** Methods of the requests whose results are outdated; undefined for all methods. */
  readonly methods?: readonly string[] | undefined;
  /**
   * URI of a resource. Only entries of requests for this resource, a parent of it, or a resource below it are
   * selected.
   */
  readonly uri?: string | undefined;
}

/**
 * Store of results for caches. Its methods may return promises, for a store that several processes share. Rejections
 * are reported to `onerror`, and the request is sent to the server.
 */
export interface ResponseStore {
  /**
   * Counter that increases when the store discovers outdated entries; undefined if the store cannot
   * discover them. Results of requests that were sent before an increase are not stored.
   */
  readonly drops?: number | undefined;
  /** Returns the entry of a key; it may be outdated. */
  get(key: CacheKey): CacheEntry | undefined | Promise<CacheEntry | undefined>;
  set(key: CacheKey, entry: CacheEntry): void | Promise<void>;
  /** Removes the selected entries. */
  drop(selection: CacheSelection): void | Promise<void>;
}

/** True for an entry that a selection includes. */
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
  /** Maximum number of results; the least recently used are removed first. Default: 1000. */
  readonly maxEntries?: number | undefined;
  /** Maximum memory for the stored results, in bytes. Default: 16 MiB. */
  readonly maxBytes?: number | undefined;
}

interface Kept {
  readonly key: CacheKey;
  readonly entry: CacheEntry;
  readonly bytes: number;
}

const MIB = 1024 * 1024;

/** Store in this process, up to a maximum number and size of results. Several caches can share one. */
export class MemoryResponseStore implements ResponseStore {
  readonly #maxEntries: number;
  readonly #maxBytes: number;
  /** Stored results by key, the least recently used first. */
  readonly #entries = new Map<string, Kept>();
  #bytes = 0;
  #drops = 0;

  constructor({ maxEntries = 1000, maxBytes = 16 * MIB }: MemoryResponseStoreOptions = {}) {
    this.#maxEntries = maxEntries;
    this.#maxBytes = maxBytes;
  }

  /** Number of stored results. */
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
    // Two bytes per character, which is the most that an engine uses.
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
 * True until an entry expires. False for an entry that appears to come from the future: the clock was
 * set back, so its age is unknown.
 */
export function isFresh({ received, expires }: CacheEntry): boolean {
  const now = Date.now();
  return now < expires && now >= received;
}

function nameOf({ server, owner, method, params }: CacheKey): string {
  return JSON.stringify([server, owner, method, params]);
}
