/** A published server whose package has its own tests. */
export interface PublishedServer {
  readonly package: string;
  readonly version: string;
  /** The packages that its tests need in addition to its dependencies, with exact versions. */
  readonly with?: readonly string[];
  /** The folder of the package to pass to `migrate`. */
  readonly sources: string;
  readonly runner: "vitest" | "node";
  /** The test files, below the package. */
  readonly tests: readonly string[];
  /**
   * The tests that pass before the migration but not after it, each with the reason. An entry is stale once its test
   * passes.
   */
  readonly expected?: Readonly<Record<string, string>>;
}
