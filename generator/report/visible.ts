/** Control and format characters, line separators and lone surrogates, which could be used to forge terminal output. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

const WIDE =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|[\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

const TAB = "    ";

/** Escapes unsafe characters in text for a terminal, as in `\u{1b}`. */
export function visible(text: string): string {
  return text.replace(UNSAFE, (character) => {
    return character === "\t" ? TAB : `\\u{${character.codePointAt(0)!.toString(16)}}`;
  });
}

/** Returns the width of {@link visible} text on a terminal, in columns. */
export function width(text: string): number {
  let columns = 0;
  for (const character of text) {
    columns += WIDE.test(character) ? 2 : /\p{M}/u.test(character) ? 0 : 1;
  }
  return columns;
}
