import { isKept, keep } from "../kept.js";
import type { Freshness } from "../options.js";
import type { Method, Revision } from "../revision.js";
import { isObject } from "../validate.js";
import { META, withoutServerInfo } from "./meta-keys.js";

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
  /** What became of results that are given again and again, by method. */
  readonly #kept = new Map<Method, WeakMap<object, object>>();

  constructor({ traits }: Revision, { info, freshness }: CompletionOptions) {
    this.#traits = traits;
    this.#freshness = freshness;
    this.#meta = info === undefined ? undefined : { [META.serverInfo]: info };
  }

  complete(result: unknown, row: Method): unknown {
    if (!isKept(result)) return this.#completed(result, row);
    let kept = this.#kept.get(row);
    if (kept === undefined) this.#kept.set(row, (kept = new WeakMap()));
    let completed = kept.get(result);
    if (completed === undefined) {
      completed = keep(this.#completed(result, row) as object);
      kept.set(result, completed);
    }
    return completed;
  }

  #completed(result: unknown, row: Method): unknown {
    if (!isObject(result)) return result;
    const { resultType = "complete", _meta: meta } = result;
    const completed: Record<string, unknown> = { ...result };
    if (this.#traits.resultType) completed["resultType"] = resultType;
    if (this.#traits.cacheable && row.cacheable) {
      const isFinal = resultType === "complete";
      const { ttlMs = 0, cacheScope = "private" } = this.#freshness?.[row.method] ?? {};
      completed["ttlMs"] = isFinal ? (result["ttlMs"] ?? ttlMs) : undefined;
      completed["cacheScope"] = isFinal ? (result["cacheScope"] ?? cacheScope) : undefined;
    }
    if (meta === undefined && this.#meta) completed["_meta"] = this.#meta;
    else if (isObject(meta)) completed["_meta"] = { ...withoutServerInfo(meta), ...this.#meta };
    return completed;
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
