import type { Revision, Side } from "../revision/revision.js";
import { isObject, MAX_DEPTH } from "../validation/tests.js";
import {
  type ErrorMessage,
  INVALID_REQUEST,
  isRequestId,
  MAX_ID_LENGTH,
  PARSE_ERROR,
  quote,
} from "./jsonrpc.js";
import type { Malformed, Receiver } from "./transport.js";

export interface DecodeOptions {
  /**
   * Controls how to treat an object in which two members have the same name. `last` uses the last one, as `JSON.parse`
   * does. `refuse` rejects the message, at the cost of a second pass over its text; it is intended for servers behind a
   * proxy that may use the first one. Default: `last`.
   */
  readonly duplicateKeys?: "last" | "refuse";
}

/**
 * Parses one message's text and passes the message to the receiver. Arrays and objects may be nested 256 levels deep.
 */
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

/**
 * True if arrays and objects are nested more than this number of levels deep. Recursion ends after that many levels, so
 * no input can exhaust the stack.
 */
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

const BACKSLASH = 0x5c;

/**
 * Returns the first name that two members of one object have in common, even if it is escaped differently; undefined if
 * all names differ. Reads the text once, without recursion.
 *
 * @param text - valid JSON
 */
export function duplicateKey(text: string): string | undefined {
  /** The member names of the objects that enclose the current position; undefined for an array. */
  const scopes: (Set<string> | undefined)[] = [];
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === "{") scopes.push(new Set());
    else if (character === "[") scopes.push(undefined);
    else if (character === "}" || character === "]") scopes.pop();
    if (character !== '"') continue;

    const start = index;
    index = endOfString(text, start);
    if (!isFollowedByColon(text, index)) continue;
    const name = JSON.parse(text.slice(start, index + 1)) as string;
    const names = scopes.at(-1)!;
    if (names.has(name)) return name;
    names.add(name);
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
}

/** True for a member's name, because only names are strings followed by a colon. */
function isFollowedByColon(text: string, index: number): boolean {
  for (let next = index + 1; next < text.length; next++) {
    const code = text.charCodeAt(next);
    if (code > 0x20) return code === 0x3a;
  }
  return false;
}

const NAMES: ReadonlyMap<number, string> = new Map([
  [PARSE_ERROR, "Parse error"],
  [INVALID_REQUEST, "Invalid request"],
]);

export function whatIsWrong(value: unknown): string {
  const { id, method } = isObject(value) ? value : {};
  if (typeof method === "string" && id !== undefined && !isRequestId(id)) {
    return `an id must be a string of up to ${MAX_ID_LENGTH} characters or an exact integer`;
  }
  return "the input is not a JSON-RPC message";
}

/**
 * Returns the revision that determines the form of errors without an id before a revision has been negotiated. This is
 * the first revision that omits the id because it does not allow `null`, or else the first revision.
 */
export function revisionOfErrors(revisions: readonly Revision[]): Revision | undefined {
  return revisions.find(({ traits }) => traits.errorId === "optional") ?? revisions[0];
}

/**
 * Builds the response to input that is not a message. Input that was meant as a response is not answered. A client only
 * answers requests, and only if servers may send them at all. If the id cannot be read, it is `null` as in JSON-RPC, or
 * omitted if the revision requires that.
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
