/** The maximum nesting depth of arrays and objects in a definition. */
export const MAX_LEVELS = 128;

/**
 * Serializes a value as JSON with sorted members and no spaces, so that equal values have equal text (RFC 8785).
 *
 * @throws RangeError if the value is nested more than 128 levels deep
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

/** Returns the members that JSON serializes, sorted by the code units of their names. */
export function sortedEntries(value: object): [name: string, member: unknown][] {
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Quotes text from a server for use in a message. Long text is shortened, because a name can be a megabyte long. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);
}
