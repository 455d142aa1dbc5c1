import {
  INVALID_PARAMS,
  type Method,
  type Revision,
  RpcError,
  isObject,
} from "../../wire/index.js";
import type {
  AnySendMiddleware,
  Feature,
  FeatureHost,
  Send,
  Sending,
  Session,
} from "../../api/index.js";
import { isThenable } from "../../ground/index.js";
import { isSingleUse } from "../../rules/index.js";
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
  /** Longest time for which a result is kept, whatever the server says, in milliseconds. Default: 3 600 000. */
  readonly maxTtl?: number | undefined;
  /**
   * Time for which results are kept of which the server does not say how long they are fresh, as in sessions, in
   * milliseconds. Default: 0, not at all.
   */
  readonly defaultTtl?: number | undefined;
  /** Revisions that say which results can be kept at all, for `defaultTtl`. Default: those that the client can speak. */
  readonly revisions?: readonly Revision[] | undefined;
  /**
   * Account that requests are sent for, where one connection serves several, or a store is shared;
   * never a credential. Results that are not public are stored for each account alone.
   */
  readonly partition?: string | (() => string) | undefined;
  /** A store in common with other caches; then the limits are those of the store. Default: one of its own, in memory. */
  readonly store?: ResponseStore | undefined;
  /**
   * Identity of the server, such as its URL: caches with a common store share the entries of one
   * server.
   */
  readonly server?: string | undefined;
  /**
   * True to trust a server that marks a result as the same for everybody (`public`). Default:
   * false.
   */
  readonly trustPublic?: boolean | undefined;
}

const HOUR = 3_600_000;

/** Owns what is public. */
const EVERYBODY = "*";

/**
 * Keeps results of a server as long as it says that they are fresh (MCP: caching), for one client: give it with the
 * option `features`. What the server says has changed is asked for again.
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
  /** Stands for those on whose behalf requests are sent, where they have no name. */
  readonly #nobody: string;
  #host: FeatureHost | undefined;
  /** Increases when this cache has found something to hold no longer. */
  #drops = 0;
  /** Releasing of entries that is under way. */
  #dropping: Promise<void> | undefined;
  /** Session whose results are stored, where the server has no name. */
  #session: Session | undefined;

  /** @throws TypeError for a shared store without the name of the server */
  constructor(options: ResponseCacheOptions = {}) {
    if (options.store && options.server === undefined) {
      throw new TypeError(`A shared store needs the option "server": whose results are kept`);
    }
    this.#options = options;
    this.#server = options.server ?? "";
    this.#nobody = options.store ? `#${crypto.randomUUID()}` : "#";
    this.#store = options.store ?? new MemoryResponseStore(options);
    this.sending = [
      Object.assign((message: Sending, send: Send) => this.#send(message, send), {
        concerns: (row: Method, session: Session) => this.#rowOf(row, session) !== undefined,
      }),
    ];
  }

  /** @throws TypeError for a second client: each needs a cache of its own, and they can have a `store` in common */
  attach(host: FeatureHost): void {
    if (this.#host) {
      throw new TypeError("This cache is part of a client already: share a store instead");
    }
    this.#host = host;
  }

  /** Releases everything of the server: something may have changed unheard. */
  clear(): void {
    this.#drop({ server: this.#server });
  }

  /** Releases what a notification says has changed. */
  notified(method: string, news: unknown): void {
    const tables = this.#revisions.map(({ methods }) => methods);
    const notification = tables.find((methods) => methods.has(method))?.get(method);
    if (notification === undefined) return;
    const { uri } = (news ?? {}) as { uri?: unknown };
    const about = typeof uri === "string" ? uri : undefined;
    const methods = new Set<string>();
    for (const row of tables.flatMap((table) => [...table.values()])) {
      if (row.cacheable && isConcerned(row, notification, about)) methods.add(row.method);
    }
    this.#drop({ server: this.#server, methods: [...methods], uri: about });
  }

  #send(message: Sending, send: Send): Promise<unknown> {
    const { session, options } = message;
    const row = options.cache === "no-store" ? undefined : this.#rowOf(message, session);
    return row ? this.#cached(row, message, send) : send();
  }

  /** The row of a request whose results can be kept. */
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
    const asked = cacheParams(message.params);
    if (hasAnswers(asked)) return send();
    this.#follow(session);
    const partition = this.#partition();
    if (options.cache === "reload") {
      // Pages of before and of now may not fit together.
      if (row.paginated && asked["cursor"] === undefined) this.#dropPages(method);
    } else {
      if (this.#dropping) await this.#dropping;
      const found = this.#find(partition, method, asked);
      const known = isThenable(found) ? await found : found;
      if (known !== undefined) return known;
    }
    const before = this.#allDrops;
    const result = await this.#ask(row, asked, send);
    // What has changed meanwhile may have done so after the answer was made.
    if (before === this.#allDrops) this.#keep(row, partition, asked, result);
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

  /** Kept result, or a promise of it where the store takes its time; undefined when there is none that is fresh. */
  #find(owner: string, method: string, params: CacheParams): unknown {
    const own = this.#get({ server: this.#server, owner, method, params });
    if (this.#options.trustPublic !== true) return own;
    const ofAll = (): unknown =>
      this.#get({ server: this.#server, owner: EVERYBODY, method, params });
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
    // Where the revision has no such member, the one of its translation says nothing.
    const ttlMs = (cacheable ? said : undefined) ?? this.#options.defaultTtl;
    if (resultType !== "complete" && (cacheable || resultType !== undefined)) return;
    const { maxTtl = HOUR, trustPublic = false } = this.#options;
    if (typeof ttlMs !== "number" || !(ttlMs > 0)) return;
    const received = Date.now();
    const expires = received + Math.min(ttlMs, maxTtl);
    const owner = trustPublic && cacheScope === "public" ? EVERYBODY : partition;
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

  /** Lets the store work, and reports its failure. @returns undefined when it is done */
  #settle(work: () => void | Promise<void>): Promise<void> | undefined {
    try {
      return work()?.catch(this.#report);
    } catch (error) {
      this.#report(error);
      return undefined;
    }
  }

  readonly #report = (error: unknown): void => this.#host?.report(error as Error);

  /** Increases when anything was found to hold no longer, by this cache or another one with the same store. */
  get #allDrops(): number {
    return this.#drops + (this.#store.drops ?? 0);
  }

  /** Clears the results of another session: without a name, it may be that of another server. */
  #follow(session: Session): void {
    if (session === this.#session || this.#options.server !== undefined) return;
    if (this.#session) this.clear();
    this.#session = session;
  }

  #partition(): string {
    const { partition } = this.#options;
    const given = typeof partition === "function" ? partition() : partition;
    return given === undefined ? this.#nobody : `=${given}`;
  }
}

function freshResult(entry: CacheEntry | undefined): unknown {
  return entry && isFresh(entry) ? (JSON.parse(entry.text) as unknown) : undefined;
}

/** Parameters of a request, as far as its result depends on them. */
export type CacheParams = Readonly<Record<string, unknown>>;

/** The parameters without `_meta`, in an order of its own. */
export function cacheParams(params: unknown): CacheParams {
  if (!isObject(params)) return {};
  const { _meta, ...rest } = params;
  return Object.fromEntries(Object.entries(rest).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * True when a request carries answers to questions of the server: its result is for this caller
 * only.
 */
export function hasAnswers({ inputResponses, requestState }: CacheParams): boolean {
  return inputResponses !== undefined || requestState !== undefined;
}

/** The part of the server that a capability is of: `server.tools` of `server.tools.listChanged`. */
function partOf({ capability }: Method): string | undefined {
  return capability?.split(".", 2).join(".");
}

/**
 * True when a notification can make results of a request stale. A notification that names a resource concerns requests for
 * resources; any other concerns the lists of the same part of the server.
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
