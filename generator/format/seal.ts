import { sha256 } from "../fingerprint/sha256.js";

/** End of the line that says what a file was generated from; the seal stands behind it. */
const PLACE = "Do not edit.";
const SEAL = /(?<=Do not edit\.) Text [0-9a-f]{16}\./;
/** Characters from the start of a file within which the seal is. */
const SEALED_WITHIN = 2000;

/** Adds a digest of a text to the line that says what it was generated from, by which later edits are known. */
export function seal(given: string): string {
  const text = withoutSeal(given);
  const start = text.slice(0, SEALED_WITHIN).indexOf(PLACE);
  if (start === -1) return text;
  const end = start + PLACE.length;
  return `${text.slice(0, end)}${sealOf(text)}${text.slice(end)}`;
}

/** True when a text was changed after it was sealed. Line endings do not count. */
export function isSealBroken(text: string): boolean {
  const [found] = SEAL.exec(text.slice(0, SEALED_WITHIN)) ?? [];
  return found !== undefined && found !== sealOf(withoutSeal(text.replaceAll("\r\n", "\n")));
}

export function withoutSeal(text: string): string {
  return text.slice(0, SEALED_WITHIN).replace(SEAL, "") + text.slice(SEALED_WITHIN);
}

function sealOf(text: string): string {
  return ` Text ${sha256(text).slice(0, 16)}.`;
}
