import {
  type CacheEntry,
  type CacheKey,
  type CacheSelection,
  isSelected,
  type ResponseStore,
} from "./response-store.js";

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
