import { type RequestId, isRequestId } from "./jsonrpc.js";

/** Bytes that are kept of the start and of the end of a message that is too long to keep. */
export const KEPT_BYTES = 4096;

/** Facts about a message of which only the start, and perhaps the end, are known. */
export interface CutMessage {
  /** Its id, method, `result` or `error`, as far as they are known; undefined for what is no message. */
  readonly value: Record<string, unknown> | undefined;
  /** True when it may be the answer to a request that cannot be told. */
  readonly mayAnswer: boolean;
}

/** A member of the outermost object, with its value where that is no object or array and ends within the text. */
const MEMBER =
  /\s*[{,]\s*"([^"\\]*)"\s*:\s*(?:(-?\d+|"(?:[^"\\]|\\.)*"|true|false|null)(?=\s*[,}]))?/y;

/** An id as the last member of the outermost object, or with nothing but the version behind it. */
const LAST_ID = /"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/**
 * Reads what can be told of a message from its ends.
 *
 * @param end - undefined while it has not come
 * @returns undefined when that is not enough, and the end may say more
 */
export function readCutMessage(start: string, end?: string): CutMessage | undefined {
  const text = start.replace(/^\ufeff/, "").trimStart();
  if (!text.startsWith("{") && !text.startsWith("[")) return { value: undefined, mayAnswer: false };
  const members = membersAtStart(text);
  const isOther = "method" in members || "params" in members;
  const id = idOf(members["id"]) ?? idOf(LAST_ID.exec(end ?? "")?.[1]);
  if (id === undefined && end === undefined) return undefined;
  const kind = isOther ? "method" : "error" in members ? "error" : "result";
  const value = { ...(id !== undefined && { id }), [kind]: members[kind] ?? "" };
  return { value, mayAnswer: id === undefined && !isOther };
}

/** The texts of the members up to the first one that has no end here; an unfinished one is empty. */
function membersAtStart(text: string): Record<string, string> {
  const members: Record<string, string> = {};
  MEMBER.lastIndex = 0;
  for (let found = MEMBER.exec(text); found; found = MEMBER.exec(text)) {
    const [, name = "", value] = found;
    members[name] = value ?? "";
    if (value === undefined) break;
  }
  return members;
}

function idOf(text: string | undefined): RequestId | undefined {
  if (!text) return undefined;
  try {
    const id: unknown = JSON.parse(text);
    return isRequestId(id) ? id : undefined;
  } catch {
    return undefined;
  }
}
