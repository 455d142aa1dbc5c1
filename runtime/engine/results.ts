import {
  InvalidMessageError,
  type Method,
  type OnLoss,
  inLieuOf,
  isObject,
  quote,
} from "../wire/index.js";
import type { Binding } from "./binding.js";
import { acceptsResult, invalidAnswer, validatorFor } from "./conformity.js";
import type { Lenience } from "./lenience.js";

/** Type of a result that needs no more rounds. */
const COMPLETE = "complete";
/** Type of a result that has questions to the client. */
const INPUT_REQUIRED = "input_required";

/** Result of a handler of this side as it travels. */
export function writtenResult(
  { revision, envelope }: Binding,
  row: Method,
  result: unknown,
  onloss: OnLoss | undefined,
): unknown {
  if (envelope === undefined) return result;
  const projection = revision?.projection;
  if (projection === undefined) return envelope.completed(result, row);
  const lowered = projection.down(row, "result", result, onloss);
  return envelope.completed(lowered, row);
}

/**
 * Result of a request of this side in the shapes that its callers are written for.
 *
 * @param lenience - readings of what is not valid, if this side has some
 * @throws InvalidMessageError when it is not one that the request can have
 */
export function readResult(
  { revision, envelope, content }: Binding,
  row: Method,
  params: unknown,
  received: unknown,
  lenience: Lenience | undefined,
): unknown {
  const isTyped = revision?.traits.resultType && revision.methods.get(row.method) === row;
  const result = isTyped ? withDefaults(row, received) : received;
  if (acceptsResult(row, params, result)) {
    content?.lookAtResult(row, validatorFor(row, params, result), result);
    if (envelope === undefined) return result;
    return revision?.projection?.up(row, "result", result) ?? result;
  }
  const reading = revision && lenience?.read(revision, row, params, result);
  if (reading === undefined) throw invalidAnswer(row, params, result);
  if (reading.revision === revision) {
    content?.lookAtResult(row, validatorFor(row, params, reading.result), reading.result);
  }
  return reading.revision.projection?.up(row, "result", reading.result) ?? reading.result;
}

/** Parameters of a message of this side as they travel. */
export function writtenParams(
  { revision, envelope }: Binding,
  method: string,
  params: unknown,
  onloss: OnLoss | undefined,
): unknown {
  const projection = revision?.projection;
  const row = projection && revision.methods.get(method);
  if (!row || params === undefined || envelope === undefined) return params;
  return projection.down(row, "params", params, onloss);
}

/**
 * A result with the members that servers may leave out (MCP: result types, caching): it is `complete` then, and stale
 * at once.
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
  return isFresh ? whole : { ...whole, ...freshness(result) };
}

function hasFreshness({ ttlMs, cacheScope }: Record<string, unknown>): boolean {
  return ttlMs !== undefined && !isNegative(ttlMs) && cacheScope !== undefined;
}

function freshness({ ttlMs = 0, cacheScope = "private" }: Record<string, unknown>): object {
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
