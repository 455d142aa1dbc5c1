import { token } from "./change.js";

/**
 * Characters that are invisible, or that reorder visible text: controls, formats, fillers, variation selectors, tags,
 * private use, lone surrogates. Format characters with a visible shape, such as the Arabic number sign, are excluded.
 * The lock file escapes these characters; a text with a new one is `dangerous`.
 */
export const INVISIBLE =
  /(?![\t\n\r\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** JSON pointers of the strings in a value, names included, that contain invisible characters. */
export function invisibleTexts(value: unknown, pointer = ""): readonly string[] {
  if (typeof value === "string") return hasInvisible(value) ? [pointer] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    ...(hasInvisible(name) ? [pointer + token(name)] : []),
    ...invisibleTexts(member, pointer + token(name)),
  ]);
}

/** Variation selectors and joiners that are part of emoji. */
const IN_EMOJI =
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier})(?:[\ufe0e\ufe0f]\u200d?|\u200d)(?!\u200d)|(?<=[\d#*])\ufe0f(?=\u20e3)/gu;

function hasInvisible(text: string): boolean {
  return INVISIBLE[Symbol.search](text.replace(IN_EMOJI, "")) >= 0;
}
