/** Tokens are ASCII characters (0–127) and percent-encoded bytes (256–511): a `%41` is not an `A`. */
export const TOKENS = 512;

/** Stands for the end of the text. */
export const END: number = TOKENS;

const ENCODED = 256;
const PERCENT = 0x25;

// oxlint-disable-next-line no-control-regex
const NOT_ASCII = /[^\0-\x7f]+/gu;

// oxlint-disable-next-line no-control-regex
const NOT_URI = /[\0- "<>\\^`{|}\x7f]|%(?![0-9A-Fa-f]{2})/;

/**
 * A URI in ASCII: other characters get percent-encoded. Undefined when there are characters in it that no URI
 * can have, or a `%` that encodes nothing.
 */
export function toAscii(uri: string): string | undefined {
  try {
    const text = uri.replace(NOT_ASCII, encodeURIComponent);
    return NOT_URI.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

export function tokenAt(text: string, position: number): number {
  if (position >= text.length) return END;
  const code = text.charCodeAt(position);
  if (code !== PERCENT) return code;
  return ENCODED + Number.parseInt(text.slice(position + 1, position + 3), 16);
}

/** Number of characters that a token covers. */
export function widthOf(token: number): 1 | 3 {
  return token < ENCODED ? 1 : 3;
}

/** A set of tokens: all that a URI can have, but some characters. */
export function allTokensBut(characters: string): Uint8Array {
  const set = new Uint8Array(TOKENS).fill(1);
  for (const character of characters) set[character.charCodeAt(0)] = 0;
  return set;
}

/** Members of a set that can start a character: all but the later bytes of a UTF-8 sequence. */
export function startsOf(set: Uint8Array): Uint8Array {
  return set.slice().fill(0, ENCODED + 0x80, ENCODED + 0xc0);
}
