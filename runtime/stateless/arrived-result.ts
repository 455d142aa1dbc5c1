import { InvalidMessageError, type Method, isObject, quote } from "../wire/index.js";

/** What a result is that needs no more rounds. */
const COMPLETE = "complete";
/** What a result is that asks for something first. */
const INPUT_REQUIRED = "input_required";

/** A result that has questions, or wants to be asked again. */
export interface InputRequired {
  readonly inputRequests?: Readonly<Record<string, InputRequest>>;
  readonly requestState?: string;
}

export interface InputRequest {
  readonly method: string;
  readonly params?: unknown;
}

/** Whether a valid result is not the final one. */
export function isInputRequired(result: unknown): result is InputRequired {
  return isObject(result) && result["resultType"] === INPUT_REQUIRED;
}

/**
 * A result with what servers may leave out of it (MCP: result types, caching): it is `complete` then, and stale at
 * once.
 *
 * @throws InvalidMessageError for a type that results of this method cannot have
 */
export function arrivedResult(row: Method, result: unknown): unknown {
  if (!isObject(result)) return result;
  const { resultType = COMPLETE } = result;
  if (resultType !== COMPLETE && !(resultType === INPUT_REQUIRED && row.inputResult)) {
    throw unexpected(row, resultType);
  }
  const isFresh = !row.cacheable || resultType !== COMPLETE || saysHowFresh(result);
  if (isFresh && result["resultType"] !== undefined) return result;
  const whole: Record<string, unknown> = { resultType, ...result };
  if (whole["resultType"] === undefined) whole["resultType"] = resultType;
  return isFresh ? whole : { ...whole, ...freshness(result) };
}

function saysHowFresh({ ttlMs, cacheScope }: Record<string, unknown>): boolean {
  return ttlMs !== undefined && !isNegative(ttlMs) && cacheScope !== undefined;
}

function freshness({ ttlMs = 0, cacheScope = "private" }: Record<string, unknown>): object {
  return { ttlMs: isNegative(ttlMs) ? 0 : ttlMs, cacheScope };
}

function isNegative(ttlMs: unknown): boolean {
  return typeof ttlMs === "number" && ttlMs < 0;
}

function unexpected({ method }: Method, type: unknown): InvalidMessageError {
  const name = typeof type === "string" ? quote(type) : "that is no string";
  return new InvalidMessageError(
    `${method} was answered with a result of a type ${name}, which it cannot have`,
  );
}
