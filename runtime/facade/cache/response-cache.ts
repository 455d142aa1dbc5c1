import {
  INVALID_PARAMS,
  type Method,
  type Revision,
  RpcError,
  isObject,
} from "../../wire/index.js";
import {
  type AnySendMiddleware,
  type Feature,
  type FeatureHost,
  type Send,
  type Sending,
  type Session,
  isSingleUse,
} from "../../api/index.js";
import { isThenable } from "../../ground/index.js";
import {
  type CacheEntry,
  type CacheKey,
  type CacheSelection,
  MemoryResponseStore,
  type MemoryResponseStoreOptions,
  type ResponseStore,
  isFresh,
} from "./response-store.js";

export interface ResponseCacheOptions extends MemoryResponseStoreOptions {
  /**
   * The maximum time, in milliseconds, for which a result is stored, regardless of what the server states. Default:
   * 3,600,000.
   */
  readonly maxTtl?: number | undefined;
  /**
   * The time, in milliseconds, for which results that do not state their freshness are stored. Results in sessions
   * never state it. Default: 0, which means that such results are not stored.
   */
  readonly defaultTtl?: number | undefined;
  /**
   * Limits `defaultTtl` to results that at least one of these revisions declares cacheable. Default: all revisions that
   * the client supports.
   */
  readonly revisions?: readonly Revision[] | undefined;
  /**
   * The account that requests are sent for, needed if one connection serves several accounts or a store is shared.
   * Never use a credential. Results that are not public are stored per account.
   */
  readonly partition?: string | (() => string) | undefined;
  /** A store shared with other caches, with its own limits. Default: a separate in-memory store. */
  readonly store?: ResponseStore | undefined;
  /** Identifies the server, for example by its URL. Caches that share a store also share the entries of a server. */
  readonly server?: string | undefined;
  /** True to trust servers that mark a result as the same for all clients (`public`). Default: false. */
  readonly trustPublic?: boolean | undefined;
}

const HOUR = 3_600_000;

const ALL_ACCOUNTS = "*";

/**
 * Cache of a server's results while they are fresh (MCP: caching), for one client. Pass it with the option
 * `features`. A change notification from the server removes the results that it concerns.
 *
 * @example
 * ```ts
 * import { Client } from "@mcp-codegen/2026-07-28";
 *
 * const cache = new ResponseCache({ partition: () => "account-7" });
 * const client = new Client({ name: "notes", version: "1.0.0" }, {}, { features: [cache] });
 * ```
 */
export class ResponseCache implements Feature {
  readonly handlers: Feature["handlers"] = {};
  readonly sending: readonly AnySendMiddleware[];
  readonly #options: ResponseCacheOptions;
  readonly #store: ResponseStore;
  readonly #server: string;
  readonly #unnamedOwner: string;
  #host: FeatureHost | undefined;
  /** The number of times this cache has found entries to be outdated. */
  #drops = 0;
  #dropping: Promise<void> | undefined;
  /** The session whose results are stored, if the server has no name. */
  #session: Session | undefined;

  /** @throws TypeError if a store is passed without the `server` option */
  constructor(options: ResponseCacheOptions = {}) {
    if (options.store && options.server === undefined) {
      throw new TypeError(
        `A shared store needs the option "server", which identifies the server of the results`,
      );
    }
    this.#options = options;
    this.#server = options.server ?? "";
    this.#unnamedOwner = options.store ? `#${crypto.randomUUID()}` : "#";
    this.#store = options.store ?? new MemoryResponseStore(options);
    this.sending = [Object.assign(this.send.bind(this), { concerns: this.concerns.bind(this) })];
  }

  /**
   * Attaches the cache to its client.
   *
   * @throws TypeError if it already has a client: each client needs its own cache, but caches can share a `store`
   */
  attach(host: FeatureHost): void {
    if (this.#host) {
      throw new TypeError("This cache already belongs to a client: share a store instead");
    }
    this.#host = host;
  }

  /** Removes all entries of the server. Call it when notifications may have been missed. */
  clear(): void {
    this.#drop({ server: this.#server });
  }

  /** Removes the entries that a notification makes outdated. */
  notified(method: string, params: unknown): void {
    const tables = this.#revisions.map(({ methods }) => methods);
    const notification = tables.find((methods) => methods.has(method))?.get(method);
    if (notification === undefined) return;
    const { uri } = (params ?? {}) as { uri?: unknown };
    const about = typeof uri === "string" ? uri : undefined;
    const methods = new Set<string>();
    for (const row of tables.flatMap((table) => [...table.values()])) {
      if (row.cacheable && isConcerned(row, notification, about)) methods.add(row.method);
    }
    this.#drop({ server: this.#server, methods: [...methods], uri: about });
  }

  /** Returns true if a request's results can be stored. */
  concerns(row: Method, session: Session): boolean {
    return this.#rowOf(row, session) !== undefined;
  }

  /** Returns a stored result, or sends the request and stores its result. */
  send(message: Sending, send: Send): Promise<unknown> {
    const { session, options } = message;
    const row = options.cache === "no-store" ? undefined : this.#rowOf(message, session);
    return row ? this.#cached(row, message, send) : send();
  }

  #rowOf(
    { kind, method }: Pick<Method, "kind" | "method">,
    { revision }: Session,
  ): Method | undefined {
    if (kind !== "request") return undefined;
    const row = revision.methods.get(method);
    if (row?.cacheable) return row;
    const { defaultTtl = 0 } = this.#options;
    return row && defaultTtl > 0 && this.#isEverCacheable(method) ? row : undefined;
  }

  #isEverCacheable(method: string): boolean {
    return this.#revisions.some(({ methods }) => methods.get(method)?.cacheable);
  }

  get #revisions(): readonly Revision[] {
    return this.#options.revisions ?? this.#host?.revisions ?? [];
  }

  async #cached(row: Method, message: Sending, send: Send): Promise<unknown> {
    const { method, session, options } = message;
    const requested = cacheParams(message.params);
    if (hasAnswers(requested)) return send();
    this.#follow(session);
    const partition = this.#partition();
    if (options.cache === "reload") {
      // Pages from before and after a change may be inconsistent.
      if (row.paginated && requested["cursor"] === undefined) this.#dropPages(method);
    } else {
      if (this.#dropping) await this.#dropping;
      const found = this.#find(partition, method, requested);
      const known = isThenable(found) ? await found : found;
      if (known !== undefined) return known;
    }
    const before = this.#allDrops;
    const result = await this.#ask(row, requested, send);
    // A change reported in the meantime may be newer than the response.
    if (before === this.#allDrops) this.#keep(row, partition, requested, result);
    return result;
  }

  async #ask({ method, paginated }: Method, { cursor }: CacheParams, send: Send): Promise<unknown> {
    try {
      return await send();
    } catch (error) {
      const isInvalid = error instanceof RpcError && error.code === INVALID_PARAMS;
      if (isInvalid && paginated && cursor !== undefined) this.#dropPages(method);
      throw error;
    }
  }

  #find(owner: string, method: string, params: CacheParams): unknown {
    const own = this.#get({ server: this.#server, owner, method, params });
    if (this.#options.trustPublic !== true) return own;
    const ofAll = (): unknown =>
      this.#get({ server: this.#server, owner: ALL_ACCOUNTS, method, params });
    return isThenable(own) ? own.then((result) => result ?? ofAll()) : (own ?? ofAll());
  }

  #get(key: CacheKey): unknown {
    try {
      const entry = this.#store.get(key);
      if (!isThenable(entry)) return freshResult(entry);
      return Promise.resolve(entry).then(freshResult).catch(this.#report);
    } catch (error) {
      return this.#report(error);
    }
  }

  #keep(row: Method, partition: string, params: CacheParams, result: unknown): void {
    if (!isObject(result) || isSingleUse(result)) return;
    const { method, cacheable } = row;
    const { resultType, ttlMs: said, cacheScope } = result;
    // If the revision has no such member, the translation has added it, and its value is meaningless.
    const ttlMs = (cacheable ? said : undefined) ?? this.#options.defaultTtl;
    if (resultType !== "complete" && (cacheable || resultType !== undefined)) return;
    const { maxTtl = HOUR, trustPublic = false } = this.#options;
    if (typeof ttlMs !== "number" || !(ttlMs > 0)) return;
    const received = Date.now();
    const expires = received + Math.min(ttlMs, maxTtl);
    const owner = trustPublic && cacheScope === "public" ? ALL_ACCOUNTS : partition;
    const entry = { text: JSON.stringify(result), received, expires };
    this.#settle(() => this.#store.set({ server: this.#server, owner, method, params }, entry));
  }

  #dropPages(method: string): void {
    this.#drop({ server: this.#server, methods: [method] });
  }

  #drop(selection: CacheSelection): void {
    this.#drops += 1;
    const before = this.#dropping;
    const dropped = this.#settle(() => this.#store.drop(selection));
    if (dropped === undefined) return;
    const dropping = Promise.all([before, dropped]).then(() => {
      if (this.#dropping === dropping) this.#dropping = undefined;
    });
    this.#dropping = dropping;
  }

  #settle(work: () => void | Promise<void>): Promise<void> | undefined {
    try {
      return work()?.catch(this.#report);
    } catch (error) {
      this.#report(error);
      return undefined;
    }
  }

  readonly #report = (error: unknown): void => this.#host?.report(error as Error);

  get #allDrops(): number {
    return this.#drops + (this.#store.drops ?? 0);
  }

  /**
   * Clears the stored results when the session changes, because the new session may be with another server. Does
   * nothing if the server has a name.
   */
  #follow(session: Session): void {
    if (session === this.#session || this.#options.server !== undefined) return;
    if (this.#session) this.clear();
    this.#session = session;
  }

  #partition(): string {
    const { partition } = this.#options;
    const given = typeof partition === "function" ? partition() : partition;
    return given === undefined ? this.#unnamedOwner : `=${given}`;
  }
}

function freshResult(entry: CacheEntry | undefined): unknown {
  return entry && isFresh(entry) ? (JSON.parse(entry.text) as unknown) : undefined;
}

export type CacheParams = Readonly<Record<string, unknown>>;

export function cacheParams(params: unknown): CacheParams {
  if (!isObject(params)) return {};
  const { _meta, ...rest } = params;
  return Object.fromEntries(Object.entries(rest).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns true if a request continues an earlier one, in which case its result is for this caller only. */
export function hasAnswers({ inputResponses, requestState }: CacheParams): boolean {
  return inputResponses !== undefined || requestState !== undefined;
}

/** Returns the first two parts of a capability: `server.tools` for `server.tools.listChanged`. */
function partOf({ capability }: Method): string | undefined {
  return capability?.split(".", 2).join(".");
}

/**
 * Returns true if a notification can make a request's results stale. A notification with a URI concerns all requests to
 * the same part of the server; any other concerns only the lists of that part.
 */
export function isConcerned(
  request: Method,
  notification: Method,
  uri: string | undefined,
): boolean {
  const part = partOf(notification);
  if (part === undefined || partOf(request) !== part) return false;
  return uri !== undefined || request.paginated;
}
