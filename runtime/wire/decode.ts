import { MAX_DEPTH } from "./validate.js";
import { INVALID_REQUEST, PARSE_ERROR, quote } from "./jsonrpc.js";
import { duplicateKey } from "./duplicate-keys.js";
import type { Receiver } from "./transport.js";

export interface DecodeOptions {
  /**
   * Treatment of an object with two members of one name. `last`: the last one counts, as for
   * `JSON.parse`. `refuse`: the message is refused, at the cost of a second pass over its text; for
   * servers behind a proxy that may read the first one. Default: `last`.
   */
  readonly duplicateKeys?: "last" | "refuse";
}

/** Parses the text of one message and hands it to the receiver. Arrays and objects may be nested 256 deep. */
export function deliver(
  text: string,
  receiver: Pick<Receiver, "message" | "malformed">,
  options?: DecodeOptions,
): void {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    receiver.malformed({ code: PARSE_ERROR, problem: "the input is not JSON", text });
    return;
  }
  if (text.length > 2 * MAX_DEPTH && isDeeperThan(MAX_DEPTH, value)) {
    const problem = `the input is nested deeper than ${MAX_DEPTH} levels`;
    receiver.malformed({ code: INVALID_REQUEST, problem, value });
    return;
  }
  if (options?.duplicateKeys === "refuse") {
    const name = duplicateKey(text);
    if (name !== undefined) {
      const problem = `an object has two members named ${quote(name)}`;
      receiver.malformed({ code: INVALID_REQUEST, problem, value });
      return;
    }
  }
  receiver.message(value);
}

/** Recursion ends with the levels that are left, so that no input can exhaust the stack. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const element of value) if (isDeeperThan(levels - 1, element)) return true;
    return false;
  }
  for (const name in value) {
    if (isDeeperThan(levels - 1, (value as Record<string, unknown>)[name])) return true;
  }
  return false;
}
