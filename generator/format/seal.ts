import { sha256 } from "../fingerprint/sha256.js";

/** The words that end the header line of a generated page. The digest, called the seal, is added after them. */
const PLACE = "Do not edit.";
const SEAL = /(?<=Do not edit\.) Text [0-9a-f]{16}\./;
/** The maximum distance, in characters, between the start of a file and its seal. */
const SEALED_WITHIN = 2000;

/**
 * Adds a digest to the line that names the page's source, so that later edits can be detected. A page without such a
 * line is not sealed.
 */
export function seal(page: string): string {
  const text = withoutSeal(page);
  const start = text.slice(0, SEALED_WITHIN).indexOf(PLACE);
  if (start === -1) return text;
  const end = start + PLACE.length;
  return `${text.slice(0, end)}${sealOf(text)}${text.slice(end)}`;
}

/**
 * Returns true if text was changed after it was sealed; false if it has no seal. Converting line endings does not count
 * as a change.
 */
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
