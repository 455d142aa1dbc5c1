import type { Freshness } from "../api/index.js";
import {
  Derivation,
  META,
  type Method,
  type Projection,
  type Revision,
  isObject,
  withoutServerInfo,
} from "../wire/index.js";

export interface EnvelopeOptions {
  /** Name and version that results of stateless revisions carry; undefined where they carry none. */
  readonly info: unknown;
  readonly freshness: Readonly<Record<string, Freshness>> | undefined;
}

/** Members of `_meta` in requests that say what a handshake would say. */
const REQUEST_META = [META.revision, META.clientInfo, META.clientCapabilities, META.logLevel];
/** Members of a request that comes back with answers. */
const ROUND = ["inputResponses", "requestState"];
const FRESHNESS = ["ttlMs", "cacheScope"];

/**
 * Members of messages that belong to the kind of conversation, not to the content: results of a stateless revision get
 * them, and where handlers are written for such a revision, messages of sessions lose them.
 */
export class Envelope {
  readonly #revision: Revision;
  readonly #freshness: EnvelopeOptions["freshness"];
  /** `_meta` of results that have none of their own. */
  readonly #meta: object | undefined;
  /** Revision that handlers are written for, where it is another one. */
  readonly #newest: Projection["newest"];
  /** Results that are given again and again, without the members that the revision lacks. */
  readonly #lowered = new Derivation();
  /** Results that are given again and again, with the members that all results have. */
  readonly #completed = new Derivation();

  constructor(revision: Revision, { info, freshness }: EnvelopeOptions) {
    this.#revision = revision;
    this.#freshness = freshness;
    this.#meta = info === undefined ? undefined : { [META.serverInfo]: info };
    this.#newest = revision.projection?.newest;
  }

  /** Adds to a result what all results of a stateless revision have, as far as the handler has left that out. */
  completed(result: unknown, row: Method): unknown {
    if (this.#revision.traits.lifecycle !== "discover") return result;
    return this.#completed.of(result, () => this.#complete(result, row));
  }

  /** Removes from a result of this side what the revision lacks. */
  loweredResult(result: unknown, row: Method): unknown {
    const newest = this.#newest;
    if (newest === undefined || !isObject(result) || !this.#isOfRevision(row)) return result;
    return this.#lowered.of(result, () => {
      const { resultType, cacheable } = this.#revision.traits;
      const row2 = newest.methods.get(row.method);
      if (row2?.channel === "embedded") return result;
      const removed = resultType ? [] : ["resultType"];
      if (!cacheable && row2?.cacheable) removed.push(...FRESHNESS);
      return withMeta(without(result, removed), withoutServerInfo);
    });
  }

  /** Removes from the parameters of a message of this side what the revision lacks. */
  loweredParams(params: unknown, row: Method): unknown {
    const newest = this.#newest;
    if (newest === undefined || !isObject(params) || !this.#isOfRevision(row)) return params;
    if (this.#revision.traits.requestMeta === "required") return params;
    if (row.kind === "notification")
      return withMeta(params, (meta) => without(meta, [META.subscription]));
    const isRound = newest.methods.get(row.method)?.inputResult && !row.inputResult;
    const own = isRound ? without(params, ROUND) : params;
    return withMeta(own, (meta) => without(meta, REQUEST_META));
  }

  /** Adds to a received result what the revision lacks and handlers may rely on. */
  raisedResult(result: unknown, row: Method): unknown {
    const newest = this.#newest;
    if (newest === undefined || !isObject(result) || !this.#isOfRevision(row)) return result;
    const { traits, methods } = newest;
    const row2 = methods.get(row.method);
    if (row2?.channel === "embedded") return result;
    const own = this.#revision.traits;
    const isTyped = traits.resultType && !own.resultType && !Object.hasOwn(result, "resultType");
    const isFresh = row2?.cacheable && !own.cacheable && !("ttlMs" in result);
    if (!isTyped && !isFresh) return result;
    return {
      ...(isTyped && { resultType: "complete" }),
      ...(isFresh && { ttlMs: 0, cacheScope: "private" }),
      ...result,
    };
  }

  #isOfRevision(row: Method): boolean {
    return this.#revision.methods.get(row.method) === row;
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

/** The value itself where it has none of these members, else a copy. */
function without(
  value: Record<string, unknown>,
  names: readonly string[],
): Record<string, unknown> {
  if (!names.some((name) => Object.hasOwn(value, name))) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

/** The value itself where its `_meta` stays the same, else a copy. */
function withMeta(
  value: Record<string, unknown>,
  change: (meta: Record<string, unknown>) => Record<string, unknown>,
): Record<string, unknown> {
  const meta = Object.hasOwn(value, "_meta") ? value["_meta"] : undefined;
  if (!isObject(meta)) return value;
  const changed = change(meta);
  return changed === meta ? value : { ...value, _meta: changed };
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
