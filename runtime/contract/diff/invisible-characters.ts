import { token } from "./change.js";

/** Characters that hide text from a reader or reorder it: tags, bidirectional controls, zero width, control codes. */
const INVISIBLE =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** JSON pointers of the texts of a value, names included, that have characters which cannot be seen. */
export function invisibleTexts(value: unknown, pointer = ""): readonly string[] {
  if (typeof value === "string") return hasInvisible(value) ? [pointer] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    ...(hasInvisible(name) ? [pointer + token(name)] : []),
    ...invisibleTexts(member, pointer + token(name)),
  ]);
}

/** Joins and variation between emoji are how those are written. */
function hasInvisible(text: string): boolean {
  return (
    INVISIBLE[Symbol.search](text.replace(/(?<=\p{Emoji})\ufe0f?\u200d(?=\p{Emoji})/gu, "")) >= 0
  );
}
