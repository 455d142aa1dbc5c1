import { toBase64 } from "../../ground/index.js";

const FIELD_VALUE = /^[\t\x20-\x7e]*$/;
/** Matches the values that are sent unencoded. Tabs are encoded because some intermediaries change them. */
const PLAIN_VALUE = /^(?! )[\x20-\x7e]*(?<! )$/;
const ENCODED_PREFIX = "=?base64?";
const ENCODED_SUFFIX = "?=";

/**
 * Encodes a value for a header field. A value that a field cannot carry unencoded becomes Base64 between markers.
 *
 * @throws TypeError if a number is not a safe integer
 */
export function headerValueOf(value: string | number | boolean): string {
  if (typeof value === "number" && !Number.isSafeInteger(value))
    throw new TypeError(
      `${value} cannot be sent in a header: JSON does not represent this integer exactly`,
    );
  const text = String(value);
  const isPlain = PLAIN_VALUE.test(text) && !looksEncoded(text);
  return isPlain
    ? text
    : `${ENCODED_PREFIX}${toBase64(new TextEncoder().encode(text))}${ENCODED_SUFFIX}`;
}

/**
 * Reads the value of a header field.
 *
 * @returns undefined if the value has characters that a field must not contain, or has markers around text that is not
 *   Base64-encoded UTF-8
 */
export function decodeHeaderValue(field: string): string | undefined {
  if (!FIELD_VALUE.test(field)) return undefined;
  const text = field.trim();
  if (!looksEncoded(text) || text.length < ENCODED_PREFIX.length + ENCODED_SUFFIX.length)
    return text;
  return fromBase64(text.slice(ENCODED_PREFIX.length, -ENCODED_SUFFIX.length));
}

function looksEncoded(text: string): boolean {
  return text.startsWith(ENCODED_PREFIX) && text.endsWith(ENCODED_SUFFIX);
}

/**
 * Decodes canonical Base64 of UTF-8 text. The bytes are encoded again for comparison, because `atob` also accepts
 * blanks and missing padding.
 */
function fromBase64(encoded: string): string | undefined {
  try {
    const bytes = atob(encoded);
    if (btoa(bytes) !== encoded) return undefined;
    const codes = Uint8Array.from(bytes, (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(codes);
  } catch {
    return undefined;
  }
}
