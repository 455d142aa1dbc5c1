/** Renames members; where both names are present, the new one counts. */
export function renamed(
  members: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const entries = Object.entries(members).filter(
    ([name]) => names[name] === undefined || !(names[name] in members),
  );
  return Object.fromEntries(entries.map(([name, value]) => [names[name] ?? name, value]));
}
