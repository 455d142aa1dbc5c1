/**
 * Asserts that an object has only known members, so that a misspelt one is not taken for an absent
 * one.
 *
 * @param whose - for the message: `the tool "add"`
 * @throws TypeError for another member, with the known names that are similar to its name
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

/** True if a typing error can turn one name into the other. */
function isNear(given: string, name: string): boolean {
  const [a, b] = [given.toLowerCase(), name.toLowerCase()];
  return distance(a, b) <= (a.length < 4 ? 1 : Math.max(2, Math.floor(a.length / 4)));
}

/** Number of characters to insert, delete or replace. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, replaced));
    }
    row = next;
  }
  return row[b.length]!;
}
