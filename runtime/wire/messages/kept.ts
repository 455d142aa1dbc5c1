import type { Validator } from "../validation/validator.js";
import type { Frame } from "./jsonrpc.js";

interface RetainedFacts {
  text?: string;
  validator?: Validator;
}

const known = new WeakMap<object, RetainedFacts>();

/**
 * Marks a result that is returned repeatedly, so that it is validated and serialized only once. Freezes it, because
 * a change, for example by middleware, would affect all clients.
 */
export function keep<Result extends object>(result: Result): Result {
  known.set(result, {});
  return Object.freeze(result);
}

/**
 * Wraps `derive` so that a value derived from a kept result is computed only once and is also marked by {@link keep}.
 */
export function deriving(
  derive: (result: unknown) => unknown,
  cache: WeakMap<object, unknown> = new WeakMap(),
): (result: unknown) => unknown {
  return (result) => {
    if (!known.has(result as object)) return derive(result);
    let derived = cache.get(result as object);
    if (derived === undefined) {
      derived = derive(result);
      if (derived !== result) keep(derived as object);
      cache.set(result as object, derived);
    }
    return derived;
  };
}

/** True if a value is valid. A kept result is not validated again by the validator that accepted it last. */
export function isValid(validator: Validator, value: unknown): boolean {
  const facts = known.get(value as object);
  if (facts?.validator === validator) return true;
  if (!validator(value)) return false;
  if (facts === undefined) return true;
  facts.validator = validator;
  return true;
}

/**
 * Returns the JSON text of a frame.
 * @throws TypeError or RangeError if it cannot be serialized
 */
export function frameText(frame: Frame): string {
  if (!("result" in frame)) return JSON.stringify(frame);
  const { id, result } = frame;
  const facts = known.get(result as object);
  // `JSON.stringify` returns undefined for a value that has no JSON form, such as a function.
  const text = facts?.text ?? (JSON.stringify(result) as string | undefined);
  if (text === undefined) return JSON.stringify(frame);
  if (facts) facts.text = text;
  return `{"jsonrpc":"2.0","id":${typeof id === "number" ? id : JSON.stringify(id)},"result":${text}}`;
}
