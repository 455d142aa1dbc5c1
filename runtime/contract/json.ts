/** Levels of arrays and objects that a definition may have. */
export const MAX_LEVELS = 128;

/**
 * JSON with sorted members and no spaces: the same text for the same value (RFC 8785).
 * @throws RangeError for a value of more than 128 levels
 */
export function canonicalJson(value: unknown): string {
  return written(value, 0);
}

function written(value: unknown, level: number): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (level >= MAX_LEVELS) throw new RangeError(`It has more than ${MAX_LEVELS} levels`);
  if (Array.isArray(value)) return `[${value.map((item) => written(item, level + 1)).join(",")}]`;
  const members = sortedEntries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${written(member, level + 1)}`,
  );
  return `{${members.join(",")}}`;
}

/** Members that JSON has, by the code units of their names. */
export function sortedEntries(value: object): [name: string, member: unknown][] {
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Text of a server for use in a message, shortened: a name can be a megabyte long. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);
}
