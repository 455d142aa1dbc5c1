import { INVALID_PARAMS, type Method, RpcError, isObject } from "../../wire/index.js";
import type {
  AnySendMiddleware,
  Feature,
  FeatureHost,
  Send,
  Sending,
  Session,
} from "../../api/index.js";
import { isSingleUse } from "../../engine/index.js";
import { type CacheParams, cacheParams, hasAnswers } from "./cache-params.js";
import { isConcerned } from "./concerns.js";
import { ResponseStore, type ResponseStoreOptions, type CacheEntry } from "./response-store.js";

export interface ResponseCacheOptions extends ResponseStoreOptions {
  /** Longest time for which a result is kept, whatever the server says, in milliseconds. Default: 3 600 000. */
  readonly maxTtl?: number | undefined;
  /**
   * Account that requests are sent for, where one connection serves several, or a store is shared;
   * never a credential. Results that are not public are stored for each account alone.
   */
  readonly partition?: string | (() => string) | undefined;
  /** A store in common with other caches; then the limits are those of the store. Default: one of its own. */
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

let count = 0;

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
  readonly #nobody = `#${(count += 1)}`;
  #host: FeatureHost | undefined;
  /** Session whose results are stored, where the server has no name. */
  #session: Session | undefined;

  /** @throws TypeError for a shared store without the name of the server */
  constructor(options: ResponseCacheOptions = {}) {
    if (options.store && options.server === undefined) {
      throw new TypeError(`A shared store needs the option "server": whose results are kept`);
    }
    this.#options = options;
    this.#server = options.server ?? "";
    this.#store = options.store ?? new ResponseStore(options);
    this.sending = [
      Object.assign((message: Sending, send: Send) => this.#send(message, send), {
        concerns: (row: Method, session: Session) => cacheableRow(row, session) !== undefined,
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
    this.#store.drop(({ server }) => server === this.#server);
  }

  /** Releases what a notification says has changed. */
  notified(method: string, news: unknown): void {
    const rows = new Map<string, Method>();
    let notification: Method | undefined;
    for (const { methods } of this.#host?.revisions ?? []) {
      notification ??= methods.get(method);
      for (const row of methods.values()) if (row.cacheable) rows.set(row.method, row);
    }
    if (notification === undefined) return;
    const about = notification;
    this.#store.drop((entry) => {
      const row = rows.get(entry.method);
      return entry.server === this.#server && isConcerned(entry, row, about, news);
    });
  }

  #send(message: Sending, send: Send): Promise<unknown> {
    const { session, options } = message;
    const row = options.cache === "no-store" ? undefined : cacheableRow(message, session);
    return row ? this.#cached(row, message, send) : send();
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
      const known = this.#find(partition, method, asked);
      if (known) return JSON.parse(known.text) as unknown;
    }
    const { drops } = this.#store;
    const result = await this.#ask(row, asked, send);
    // What has changed meanwhile may have done so after the answer was made.
    if (drops === this.#store.drops) this.#keep(partition, method, asked, result);
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

  #find(partition: string, method: string, asked: CacheParams): CacheEntry | undefined {
    const own = this.#store.get(this.#key(partition, method, asked));
    if (own || this.#options.trustPublic !== true) return own;
    return this.#store.get(this.#key(EVERYBODY, method, asked));
  }

  #keep(partition: string, method: string, params: CacheParams, result: unknown): void {
    if (!isObject(result) || result["resultType"] !== "complete" || isSingleUse(result)) return;
    const { ttlMs, cacheScope } = result;
    const { maxTtl = HOUR, trustPublic = false } = this.#options;
    if (typeof ttlMs !== "number" || !(ttlMs > 0)) return;
    const received = Date.now();
    const expires = received + Math.min(ttlMs, maxTtl);
    const owner = trustPublic && cacheScope === "public" ? EVERYBODY : partition;
    const text = JSON.stringify(result);
    const entry = { server: this.#server, method, params, text, received, expires };
    this.#store.set(this.#key(owner, method, params), entry);
  }

  #dropPages(method: string): void {
    this.#store.drop((entry) => entry.server === this.#server && entry.method === method);
  }

  #key(owner: string, method: string, asked: CacheParams): string {
    return JSON.stringify([this.#server, owner, method, asked]);
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

/** The row of a request whose results can be kept. */
function cacheableRow(
  { kind, method }: Pick<Method, "kind" | "method">,
  { revision }: Session,
): Method | undefined {
  const row = revision.methods.get(method);
  return kind === "request" && row?.cacheable ? row : undefined;
}
