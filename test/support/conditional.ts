import { describe, it } from "vitest";

const nothing = Object.assign(() => {}, { each: () => () => {} }) as unknown as typeof it;

/**
 * Returns `it` for a combination that exists, and a function that does nothing otherwise. Impossible tests are not
 * generated, so a skipped test is an exception.
 */
export const itWhere = (exists: boolean): typeof it => (exists ? it : nothing);

/** Defines tests that need something outside this repository. If it is missing, one skipped test names it. */
export function describeWith(
  isPresent: boolean,
  need: string,
  name: string,
  tests: () => void,
): void {
  if (isPresent) describe(name, tests);
  else it.skip(`${name} [needs ${need}]`, () => {});
}
