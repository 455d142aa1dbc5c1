/**
 * Asserts that an object has only known properties, so that a misspelt one is not silently ignored. The error suggests
 * similar names.
 *
 * @param whose - the owner of the properties, as named in the error: `the tool "add"`
 */
export function assertKnownNames(given: object, known: readonly string[], whose: string): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || known.includes(name)) continue;
    const names = [...new Set(known)];
    const near = names.filter((one) => isNear(name, one)).map((one) => JSON.stringify(one));
    const advice =
      near.length > 0
        ? `Did you mean ${near.join(" or ")}?`
        : `The options are ${names.toSorted().join(", ")}.`;
    throw new TypeError(`${JSON.stringify(name)} is not an option of ${whose}. ${advice}`);
  }
}

/** Asserts that each option whose name ends in `timeout` is a valid time. */
export function assertTimeouts(options: object): void {
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && /timeout$/i.test(name)) assertTime(name, value);
  }
}

export function assertTime(name: string, value: unknown): void {
  if (!((value as number) >= 0))
    throw new TypeError(`${name} must be a number of milliseconds, 0 or more`);
}

export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Returns true if one name may be a misspelling of the other: ignoring case, they differ only in a few neighbouring
 * characters.
 */
function isNear(given: string, name: string): boolean {
  const [a, b] = [given.toLowerCase(), name.toLowerCase()];
  let [start, end] = [0, 0];
  while (start < a.length && a[start] === b[start]) start += 1;
  const rest = Math.min(a.length, b.length) - start;
  while (end < rest && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const different = Math.max(a.length, b.length) - start - end;
  return different <= (a.length < 4 ? 1 : Math.max(2, Math.floor(a.length / 4)));
}
