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
