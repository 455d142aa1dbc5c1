import {
  type CacheEntry as RuntimeEntry,
  type CacheKey as RuntimeKey,
  type CacheSelection,
  isSelected,
  type ResponseStore,
} from "@mcp-codegen/runtime/facade/cache";

/** A value, or a promise that resolves to it. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** The owner of a cached result: all accounts, or one. */
export type CacheScope = "public" | "private";

/** The key of a cached result in the store. */
export interface CacheKey {
  readonly method: string;
  /** The parameters on which the result depends, such as a resource's URI; empty if there are none. */
  readonly params?: string;
  /** The server and account, as JSON. */
  readonly partition?: string;
}

/** A cached result. */
export interface CacheEntry {
  /** The result as JSON. */
  readonly value: string;
  /** The sequence number of the write, which the store assigns. */
  readonly stamp: number;
  /** The time (`Date.now()`) until which the result is fresh. */
  readonly expiresAt?: number;
  readonly scope?: CacheScope;
}

/** A store of results, which several clients can share. */
export interface ResponseCacheStore {
  get(key: CacheKey): MaybePromise<CacheEntry | undefined>;
  /** Stores an entry, and returns the entry's stamp. */
  set(
    key: CacheKey,
    entry: { value: string; expiresAt?: number; scope?: CacheScope },
  ): MaybePromise<number>;
  delete(key: CacheKey): MaybePromise<void>;
  /** Deletes all entries for a method. */
  evict(method: string): MaybePromise<void>;
  clear(): MaybePromise<void>;
}

/** The options of {@link InMemoryResponseCacheStore}. */
export interface InMemoryResponseCacheStoreOptions {
  /**
   * The maximum number of cached resources, not counting lists; the oldest are evicted first. 0 means no limit.
   * Default: 512.
   */
  maxEntries?: number;
}

/** The maximum lifetime of a result: one day, in milliseconds. A longer lifetime stated by a server is shortened. */
export const MAX_CACHE_TTL_MS = 86_400_000;

const READ = "resources/read";

/** A store that keeps results in this process. */
export class InMemoryResponseCacheStore implements ResponseCacheStore {
  /** The entries by method, then by the rest of the key. */
  private readonly _methods = new Map<string, Map<string, CacheEntry>>();
  private readonly _maxEntries: number;
  private _stamp = 0;

  constructor({ maxEntries = 512 }: InMemoryResponseCacheStoreOptions = {}) {
    this._maxEntries = maxEntries === 0 ? Infinity : maxEntries;
  }

  get size(): number {
    let size = 0;
    for (const entries of this._methods.values()) size += entries.size;
    return size;
  }

  get(key: CacheKey): CacheEntry | undefined {
    return this._methods.get(key.method)?.get(restOf(key));
  }

  set(key: CacheKey, entry: { value: string; expiresAt?: number; scope?: CacheScope }): number {
    const entries = this._methods.get(key.method) ?? new Map<string, CacheEntry>();
    this._methods.set(key.method, entries);
    this._stamp += 1;
    entries.set(restOf(key), { ...entry, stamp: this._stamp });
    if (key.method === READ && entries.size > this._maxEntries) {
      for (const oldest of entries.keys()) {
        entries.delete(oldest);
        break;
      }
    }
    return this._stamp;
  }

  delete(key: CacheKey): void {
    this._methods.get(key.method)?.delete(restOf(key));
  }

  evict(method: string): void {
    this._methods.delete(method);
  }

  clear(): void {
    this._methods.clear();
  }
}

function restOf({ params = "", partition = "" }: CacheKey): string {
  return JSON.stringify([partition, params]);
}

/** The maximum number of keys that one client remembers so that it can invalidate stale results. */
const MOST = 10_000;

const EVERYBODY = "*";

/** Adapts a store with the SDK's interface to our clients' cache. */
export class ForeignResponseStore implements ResponseStore {
  readonly #theirs: ResponseCacheStore;
  /** The keys that this client has used, oldest first. */
  readonly #used = new Map<string, RuntimeKey>();
  readonly #account: string;

  /** @param account - the account for which results are cached; empty if all users of the store may see them */
  constructor(theirs: ResponseCacheStore, account: string) {
    this.#theirs = theirs;
    this.#account = account;
  }

  async get(key: RuntimeKey): Promise<RuntimeEntry | undefined> {
    const entry = await this.#theirs.get(this.#addressOf(key));
    if (entry?.expiresAt === undefined) return undefined;
    if (key.owner === EVERYBODY && entry.scope !== "public") return undefined;
    this.#use(key);
    return { text: entry.value, received: 0, expires: entry.expiresAt };
  }

  async set(key: RuntimeKey, { text, expires }: RuntimeEntry): Promise<void> {
    this.#use(key);
    const scope = key.owner === EVERYBODY ? "public" : "private";
    await this.#theirs.set(this.#addressOf(key), { value: text, expiresAt: expires, scope });
  }

  async drop(selection: CacheSelection): Promise<void> {
    const { server, methods = [], uri } = selection;
    const stale = new Map<string, CacheKey>();
    const add = (key: RuntimeKey): void => {
      const address = this.#addressOf(key);
      stale.set(JSON.stringify(address), address);
    };
    for (const [name, key] of this.#used) {
      if (!isSelected(key, selection)) continue;
      this.#used.delete(name);
      add(key);
    }
    // Entries that another client has written under these addresses are also deleted.
    const params = uri === undefined ? {} : { uri };
    for (const method of methods) {
      for (const owner of [EVERYBODY, this.#account]) add({ server, owner, method, params });
    }
    await Promise.all([...stale.values()].map(async (address) => this.#theirs.delete(address)));
  }

  #use(key: RuntimeKey): void {
    const name = JSON.stringify(key);
    this.#used.delete(name);
    this.#used.set(name, key);
    if (this.#used.size <= MOST) return;
    for (const oldest of this.#used.keys()) {
      this.#used.delete(oldest);
      return;
    }
  }

  #addressOf({ server, owner, method, params }: RuntimeKey): CacheKey {
    const account = owner === EVERYBODY ? "" : this.#account;
    return { method, params: textOf(params), partition: JSON.stringify([server, account]) };
  }
}

function textOf(params: RuntimeKey["params"]): string {
  const names = Object.keys(params);
  const { uri } = params;
  if (names.length === 0) return "";
  return names.length === 1 && typeof uri === "string" ? uri : JSON.stringify(params);
}
