/** Members under other names; where both are there, the name of ours counts. */
export function renamed(
  members: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const entries = Object.entries(members).filter(
    ([name]) => names[name] === undefined || !(names[name] in members),
  );
  return Object.fromEntries(entries.map(([name, value]) => [names[name] ?? name, value]));
}
