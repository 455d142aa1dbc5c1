import { canonicalJson } from "../index.js";
import { isObject } from "../json.js";
import { type EntryChange, token } from "./change.js";

export interface Difference {
  readonly pointer: string;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Returns the innermost places where two JSON values differ. A member that only one of them has counts as a single
 * difference.
 */
export function differences(before: unknown, after: unknown, pointer = ""): readonly Difference[] {
  const isSame =
    before === after ||
    (before !== undefined && after !== undefined && canonicalJson(before) === canonicalJson(after));
  if (isSame) return [];
  if (!isObject(before) || !isObject(after)) return [{ pointer, before, after }];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].toSorted().flatMap((name) => {
    const [one, other] = [before, after].map((all) =>
      Object.hasOwn(all, name) ? all[name] : undefined,
    );
    return differences(one, other, pointer + token(name));
  });
}

export function textChanges(before: unknown, after: unknown): readonly EntryChange[] {
  return differences(before, after).map(({ pointer, ...both }) => ({
    class: "prose",
    pointer,
    message: `${both.before === undefined ? "new: " : ""}${shortened(both)}`,
  }));
}

export function shortened({ before, after }: Omit<Difference, "pointer">): string {
  if (before === undefined) return shown(after);
  return after === undefined ? `gone: ${shown(before)}` : `${shown(before)} -> ${shown(after)}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 70 ? `${text.slice(0, 67)}…` : text;
}

/**
 * Matches characters that are invisible or that reorder visible text: controls, formats, fillers, variation selectors,
 * tags, private use, lone surrogates. Format characters with a visible shape, such as the Arabic number sign, are
 * excluded. The lock file escapes all of these characters.
 */
export const INVISIBLE =
  /(?![\t\n\r\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;

export function invisibleTexts(value: unknown, pointer = ""): readonly string[] {
  if (typeof value === "string") return hasInvisible(value) ? [pointer] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    ...(hasInvisible(name) ? [pointer + token(name)] : []),
    ...invisibleTexts(member, pointer + token(name)),
  ]);
}

/** Matches variation selectors and joiners that are part of an emoji and therefore not hidden text. */
const IN_EMOJI =
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier})(?:[\ufe0e\ufe0f]\u200d?|\u200d)(?!\u200d)|(?<=[\d#*])\ufe0f(?=\u20e3)/gu;

function hasInvisible(text: string): boolean {
  return INVISIBLE[Symbol.search](text.replace(IN_EMOJI, "")) >= 0;
}
