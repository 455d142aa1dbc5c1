/** Longest array whose items are compared one by one, which takes time by its square. */
export const FEW_ITEMS = 64;

/** Whether an array with more than {@link FEW_ITEMS} items, anywhere in a JSON value, has two equal ones. */
export function hasLongRepetition(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (!Array.isArray(value)) return Object.values(value).some(hasLongRepetition);
  if (value.length > FEW_ITEMS && isRepetitive(value)) return true;
  return value.some(hasLongRepetition);
}

function isRepetitive(items: readonly unknown[]): boolean {
  const seen = new Set<unknown>();
  for (const item of items) {
    const isSimple = typeof item !== "object" || item === null;
    seen.add(isSimple && typeof item !== "string" ? item : fingerprint(item));
  }
  return seen.size < items.length;
}

/** Equal for equal JSON values, whatever the order of their members, and for no others. */
function fingerprint(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(fingerprint).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${fingerprint(member)}`,
  );
  return `{${members.toSorted().join(",")}}`;
}
