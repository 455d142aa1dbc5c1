import {
  Derivation,
  META,
  type Method,
  type Revision,
  isObject,
  withoutServerInfo,
} from "../wire/index.js";
import type { Freshness } from "../api/index.js";

export interface CompletionOptions {
  /** Who the server is; undefined when it does not say. */
  readonly info: unknown;
  readonly freshness: Readonly<Record<string, Freshness>> | undefined;
}

/** Adds to the results of a revision what all of them have, as far as their handlers left that out. */
export class ResultCompletion {
  readonly #traits: Revision["traits"];
  readonly #freshness: CompletionOptions["freshness"];
  /** What results without metadata of their own have. */
  readonly #meta: object | undefined;
  /** What became of results that are given again and again. */
  readonly #kept = new Derivation();

  constructor({ traits }: Revision, { info, freshness }: CompletionOptions) {
    this.#traits = traits;
    this.#freshness = freshness;
    this.#meta = info === undefined ? undefined : { [META.serverInfo]: info };
  }

  complete(result: unknown, row: Method): unknown {
    return this.#kept.of(result, () => this.#completed(result, row));
  }

  #completed(result: unknown, row: Method): unknown {
    if (!isObject(result)) return result;
    const { resultType = "complete", _meta: meta } = result;
    const isCacheable = this.#traits.cacheable && row.cacheable === true;
    const completed = this.#withRoom(result, isCacheable);
    if (this.#traits.resultType) completed["resultType"] = resultType;
    if (isCacheable) {
      const isFinal = resultType === "complete";
      const { ttlMs = 0, cacheScope = "private" } = this.#freshness?.[row.method] ?? {};
      completed["ttlMs"] = isFinal ? (result["ttlMs"] ?? ttlMs) : undefined;
      completed["cacheScope"] = isFinal ? (result["cacheScope"] ?? cacheScope) : undefined;
    }
    if (meta === undefined) completed["_meta"] = this.#meta;
    else if (isObject(meta)) completed["_meta"] = { ...withoutServerInfo(meta), ...this.#meta };
    return completed;
  }

  /** A copy that has what is added already: to add members to a copy costs V8 twenty times as much. */
  #withRoom(result: Record<string, unknown>, isCacheable: boolean): Record<string, unknown> {
    const added = undefined;
    if (!this.#traits.resultType) return { _meta: added, ...result };
    if (!isCacheable) return { resultType: added, _meta: added, ...result };
    return { resultType: added, ttlMs: added, cacheScope: added, _meta: added, ...result };
  }
}

/** @throws TypeError for methods whose results have no freshness, and for values that it cannot have */
export function assertFreshness(
  freshness: Readonly<Record<string, Freshness>> | undefined,
  revisions: readonly Revision[],
): void {
  for (const [method, { ttlMs = 0, cacheScope = "private" }] of Object.entries(freshness ?? {})) {
    const isCacheable = revisions.some(({ methods }) => methods.get(method)?.cacheable);
    if (!isCacheable) throw new TypeError(`freshness: results of ${method} cannot be kept`);
    if (!Number.isSafeInteger(ttlMs) || ttlMs < 0) {
      throw new TypeError(`freshness: ttlMs of ${method} is a whole number from 0 up`);
    }
    if (cacheScope !== "public" && cacheScope !== "private") {
      throw new TypeError(`freshness: cacheScope of ${method} is "public" or "private"`);
    }
  }
}
