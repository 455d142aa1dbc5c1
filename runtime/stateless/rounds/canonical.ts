import { isObject } from "../../wire/index.js";
import { toBase64Url } from "../../ground/index.js";

/** Mark before the names of numbers that JSON lacks, and before texts that begin with it. */
const MARK = "\0";

/**
 * JSON that is the same for the same value, in whatever order its members are, and another one for another value:
 * numbers too large for it are not null, as they are in JSON.
 * @throws TypeError or RangeError when it cannot be written
 */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => sorted(member)) ?? "";
}

/** SHA-256 of a text, as base64url. */
export async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return toBase64Url(new Uint8Array(digest));
}

function sorted(value: unknown): unknown {
  const isLarge = typeof value === "number" && !Number.isFinite(value);
  if (isLarge || (typeof value === "string" && value.startsWith(MARK))) return `${MARK}${value}`;
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}
