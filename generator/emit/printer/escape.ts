/**
 * Characters that would hide or reorder source text on a screen, or end a line where a reader sees
 * none: control and bidirectional characters, separators, tags, lone surrogates.
 */
const INVISIBLE =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

/** A string literal in double quotes whose value is exactly `text`. */
export function escapeString(text: string): string {
  return JSON.stringify(text).replace(INVISIBLE, escapeCharacter);
}

/** Text in which every character can be seen, and each line ends with `\n`. */
export function escapeInvisible(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(INVISIBLE, escapeCharacter);
}

/** Text that cannot end a block comment, hide in one, or give orders to a compiler. */
export function escapeComment(text: string): string {
  return escapeInvisible(text)
    .replaceAll("*/", "*\\/")
    .replace(/^([ \t]*)@/gm, "$1\\@");
}

function escapeCharacter(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
