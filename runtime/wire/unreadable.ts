import {
  type ErrorMessage,
  INVALID_REQUEST,
  isRequestId,
  MAX_ID_LENGTH,
  PARSE_ERROR,
} from "./jsonrpc.js";
import type { Revision, Side } from "./revision.js";
import type { Malformed } from "./transport.js";
import { isObject } from "./validate.js";

const NAMES: ReadonlyMap<number, string> = new Map([
  [PARSE_ERROR, "Parse error"],
  [INVALID_REQUEST, "Invalid request"],
]);

/** Why JSON that is no acceptable message is none. */
export function whatIsWrong(value: unknown): string {
  const { id, method } = isObject(value) ? value : {};
  if (typeof method === "string" && id !== undefined && !isRequestId(id)) {
    return `an id is a string of up to ${MAX_ID_LENGTH} characters or an exact integer`;
  }
  return "the input is not a JSON-RPC message";
}

/**
 * Revision whose errors without an id are sent as long as none is agreed on: one that leaves the id out, if one of them
 * does, since it admits no `null`.
 */
export function revisionOfErrors(revisions: readonly Revision[]): Revision | undefined {
  return revisions.find(({ traits }) => traits.errorId === "optional") ?? revisions[0];
}

/**
 * The answer to input that is no message, if it gets one: what was meant as an answer gets none, and a
 * client answers only what asks it something, where servers may ask at all. An id that cannot be read is `null` as JSON-RPC has it, and
 * left out where the revision wants that.
 */
export function answerToUnreadable(
  { code, problem, value }: Malformed,
  side: Side,
  revision: Revision | undefined,
): ErrorMessage | undefined {
  const { id, method, result, error } = isObject(value) ? value : {};
  if (method === undefined && (result !== undefined || error !== undefined)) return undefined;
  const isMute = revision !== undefined && revision.traits.serverRequests !== "wire";
  if (side === "client" && (isMute || method === undefined || id === undefined)) return undefined;
  const message = `${NAMES.get(code) ?? "Error"}: ${problem}`;
  if (isRequestId(id)) return { jsonrpc: "2.0", id, error: { code, message } };
  return revision?.traits.errorId === "optional"
    ? { jsonrpc: "2.0", error: { code, message } }
    : { jsonrpc: "2.0", id: null, error: { code, message } };
}
