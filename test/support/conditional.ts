import { describe, it } from "vitest";

const nothing = Object.assign(() => {}, { each: () => () => {} }) as unknown as typeof it;

/**
 * `it` for a combination that exists, and nothing otherwise: an impossible test is not generated,
 * so that a skipped test is an exception.
 */
export const itWhere = (exists: boolean): typeof it => (exists ? it : nothing);

/**
 * Tests that need something outside of this repository: one skipped test names it if it is missing.
 */
export function describeWith(
  isPresent: boolean,
  need: string,
  name: string,
  tests: () => void,
): void {
  if (isPresent) describe(name, tests);
  else it.skip(`${name} [needs ${need}]`, () => {});
}
