import type { Revision } from "@mcp-codegen/runtime";
import { revisions } from "@mcp-codegen/universal/revisions";

/** A test runner's function that registers a test. */
export type RegisterTest = (name: string, run: () => void | Promise<void>) => unknown;

/**
 * Registers a test for each bundled revision, the newest first. The name of each test ends with the id of its revision.
 *
 * @example
 * ```ts
 * eachRevision(test, "greets", async (revision) => {
 *   await using client = await testClient(createServer(), { revision });
 * });
 * ```
 *
 * @param test - the function `test` of vitest, jest or node:test
 */
export function eachRevision(
  test: RegisterTest,
  name: string,
  run: (revision: Revision) => void | Promise<void>,
): void {
  for (const revision of revisions) test(`${name} at ${revision.id}`, () => run(revision));
}
