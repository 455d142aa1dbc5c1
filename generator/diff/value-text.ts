/** The value of a trait or a convention in one line: `true`, `400,404`, `METHOD_NOT_FOUND 404`. */
export function valueText(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return String(value);
  const members = Object.entries(value).map(([name, member]) => `${name} ${String(member)}`);
  return members.length === 0 ? "none" : members.join(", ");
}
