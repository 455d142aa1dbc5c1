import type { RouteSteps, StepSource } from "../api/index.js";
import { InvalidMessageError, type Method, inLieuOf, isObject, quote } from "../wire/index.js";

const COMPLETE = "complete";
const INPUT_REQUIRED = "input_required";

export const resultDefaults: StepSource = ({
  revision,
  direction,
  row,
}): RouteSteps | undefined => {
  const isOwn = revision.methods.get(row.method) === row;
  const isResult = row.kind === "request" && direction === "out";
  if (!isResult || !isOwn || !revision.traits.resultType) return undefined;
  return { readResult: (result) => withDefaults(row, result) };
};

/**
 * Adds the members that servers may omit (MCP: result types, caching). By default, a result is `complete` and
 * immediately stale.
 *
 * @throws InvalidMessageError for a `resultType` that this method's results cannot have
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
  const name = typeof type === "string" ? quote(type) : "that is not a string";
  return new InvalidMessageError(
    `The result of ${method} has the type ${name}, which it cannot have`,
  );
}
