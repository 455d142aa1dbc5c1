import type { Freshness } from "../api/index.js";
import {
  Derivation,
  META,
  type Method,
  type Revision,
  isObject,
  withoutServerInfo,
} from "../wire/index.js";

export interface EnvelopeOptions {
  /** Name and version that results of stateless revisions carry; undefined where they carry none. */
  readonly info: unknown;
  readonly freshness: Readonly<Record<string, Freshness>> | undefined;
}

/**
 * Members of results that belong to the kind of conversation, not to the content: results of a stateless revision get them.
 * Where handlers are written for such a revision, the projection removes them from messages of sessions.
 */
export class Envelope {
  readonly #revision: Revision;
  readonly #freshness: EnvelopeOptions["freshness"];
  /** `_meta` of results that have none of their own. */
  readonly #meta: object | undefined;
  /** Results that are given again and again, with the members that all results have. */
  readonly #completed = new Derivation();

  constructor(revision: Revision, { info, freshness }: EnvelopeOptions) {
    this.#revision = revision;
    this.#freshness = freshness;
    this.#meta = info === undefined ? undefined : { [META.serverInfo]: info };
  }

  /** Adds to a result what all results of a stateless revision have, as far as the handler has left that out. */
  completed(result: unknown, row: Method): unknown {
    if (this.#revision.traits.lifecycle !== "discover") return result;
    return this.#completed.of(result, () => this.#complete(result, row));
  }

  #complete(result: unknown, row: Method): unknown {
    if (!isObject(result)) return result;
    const { resultType = "complete", _meta: meta } = result;
    const { traits } = this.#revision;
    const isCacheable = traits.cacheable && row.cacheable === true;
    const completed = withRoom(result, traits.resultType, isCacheable);
    if (traits.resultType) completed["resultType"] = resultType;
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
}

/** A copy that has what is added already: to add members to a copy costs V8 twenty times as much. */
function withRoom(
  result: Record<string, unknown>,
  hasType: boolean,
  isCacheable: boolean,
): Record<string, unknown> {
  const added = undefined;
  if (!hasType) return { _meta: added, ...result };
  if (!isCacheable) return { resultType: added, _meta: added, ...result };
  return { resultType: added, ttlMs: added, cacheScope: added, _meta: added, ...result };
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
