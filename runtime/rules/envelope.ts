import type { Freshness, RouteSteps, StepSource } from "../api/index.js";
import {
  Derivation,
  InvalidMessageError,
  META,
  type Method,
  type Revision,
  inLieuOf,
  isObject,
  quote,
  withoutServerInfo,
} from "../wire/index.js";

/** Type of a final result. */
const COMPLETE = "complete";
/** Type of a result with questions to the client. */
const INPUT_REQUIRED = "input_required";

export interface EnvelopeOptions {
  /** Name and version in results of stateless revisions; undefined to omit them. */
  readonly info: unknown;
  readonly freshness: Readonly<Record<string, Freshness>> | undefined;
}

/**
 * Members of results that belong to the kind of conversation, not to the content: a server adds them to the results of
 * stateless revisions, and a client adds those that a server has omitted.
 */
export function envelopeRules({ info, freshness }: EnvelopeOptions): StepSource {
  const meta = info === undefined ? undefined : { [META.serverInfo]: info };
  return ({ revision, side, direction, row }): RouteSteps | undefined => {
    if (row.kind !== "request") return undefined;
    const { lifecycle, resultType } = revision.traits;
    if (side === "server" && direction === "in" && lifecycle === "discover") {
      const complete = completion(revision, row, freshness?.[row.method] ?? {}, meta);
      const completed = new Derivation();
      return { writeResult: (result) => completed.of(result, () => complete(result)) };
    }
    const isOwn = revision.methods.get(row.method) === row;
    if (direction === "in" || !resultType || !isOwn) return undefined;
    return { readResult: (result) => withDefaults(row, result) };
  };
}

/**
 * Creates a function that adds the common members of all results of a stateless revision, unless
 * the handler has set them.
 */
function completion(
  { traits }: Revision,
  { cacheable }: Method,
  { ttlMs = 0, cacheScope = "private" }: Freshness,
  info: object | undefined,
): (result: unknown) => unknown {
  const isCacheable = traits.cacheable && cacheable;
  return (result) => {
    if (!isObject(result)) return result;
    const { resultType = COMPLETE, _meta: meta } = result;
    const completed = withRoom(result, traits.resultType, isCacheable);
    if (traits.resultType) completed["resultType"] = resultType;
    if (isCacheable) {
      const isFinal = resultType === COMPLETE;
      completed["ttlMs"] = isFinal ? (result["ttlMs"] ?? ttlMs) : undefined;
      completed["cacheScope"] = isFinal ? (result["cacheScope"] ?? cacheScope) : undefined;
    }
    if (meta === undefined) completed["_meta"] = info;
    else if (isObject(meta)) completed["_meta"] = { ...withoutServerInfo(meta), ...info };
    return completed;
  };
}

/**
 * Returns a copy that already has the members to add: adding members to a copy takes V8 twenty
 * times as long.
 */
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

/** @throws TypeError for methods whose results have no freshness, and for invalid values */
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

/**
 * Returns a result with the members that servers may omit (MCP: result types, caching): by default
 * it is `complete`, and immediately stale.
 *
 * @throws InvalidMessageError for a type that results of this method cannot have
 */
export function withDefaults(row: Method, result: unknown): unknown {
  if (!isObject(result)) return result;
  const { resultType = COMPLETE } = result;
  const isAsking = resultType === INPUT_REQUIRED && row.inputResult !== undefined;
  if (resultType !== COMPLETE && !isAsking && !inLieuOf(row, result)) {
    throw unexpectedType(row, resultType);
  }
  const isFresh = !row.cacheable || resultType !== COMPLETE || hasFreshness(result);
  if (isFresh && result["resultType"] !== undefined) return result;
  const whole: Record<string, unknown> = { resultType, ...result };
  if (whole["resultType"] === undefined) whole["resultType"] = resultType;
  return isFresh ? whole : { ...whole, ...freshnessOf(result) };
}

function hasFreshness({ ttlMs, cacheScope }: Record<string, unknown>): boolean {
  return ttlMs !== undefined && !isNegative(ttlMs) && cacheScope !== undefined;
}

function freshnessOf({ ttlMs = 0, cacheScope = "private" }: Record<string, unknown>): object {
  return { ttlMs: isNegative(ttlMs) ? 0 : ttlMs, cacheScope };
}

function isNegative(ttlMs: unknown): boolean {
  return typeof ttlMs === "number" && ttlMs < 0;
}

function unexpectedType({ method }: Method, type: unknown): InvalidMessageError {
  const name = typeof type === "string" ? quote(type) : "that is no string";
  return new InvalidMessageError(
    `${method} was answered with a result of a type ${name}, which it cannot have`,
  );
}

const marked = new WeakSet<object>();

/** Marks a result that depends on the client's answers, so that it is not cached or shared. */
export function markSingleUse(result: unknown): unknown {
  if (typeof result === "object" && result !== null) marked.add(result);
  return result;
}

export function isSingleUse(result: object): boolean {
  return marked.has(result);
}
