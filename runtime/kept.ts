import type { Frame } from "./jsonrpc.js";
import type { Validator } from "./validation.js";

/** What was found out about a result that is given again and again. */
interface Known {
  text?: string;
  /** The validator that has accepted it. */
  validator?: Validator;
}

const known = new WeakMap<object, Known>();

/**
 * Marks a result as one that will be given again, so that it is checked and written as JSON once. It is frozen:
 * whoever could change it, such as middleware, would change it for all clients.
 */
export function keep<Result extends object>(result: Result): Result {
  known.set(result, {});
  return Object.freeze(result);
}

export function isKept(value: unknown): value is object {
  return typeof value === "object" && value !== null && known.has(value);
}

/** Whether a value is valid; asks the validator once of what is kept. */
export function isValid(validator: Validator, value: unknown): boolean {
  const facts = isKept(value) ? known.get(value)! : undefined;
  if (facts === undefined) return validator(value);
  if (facts.validator === validator) return true;
  if (!validator(value)) return false;
  facts.validator = validator;
  return true;
}

/**
 * The JSON text of what is to be sent.
 * @throws TypeError or RangeError when it cannot be written
 */
export function frameText(frame: Frame): string {
  if (!("result" in frame) || !isKept(frame.result)) return JSON.stringify(frame);
  const facts = known.get(frame.result)!;
  facts.text ??= JSON.stringify(frame.result);
  return `{"jsonrpc":"2.0","id":${JSON.stringify(frame.id)},"result":${facts.text}}`;
}
