/** Published server whose package has its own tests. */
export interface PublishedServer {
  readonly package: string;
  readonly version: string;
  /** Packages with exact versions that its tests need beside its dependencies. */
  readonly with?: readonly string[];
  /** Folder of the package for `migrate`. */
  readonly sources: string;
  readonly runner: "vitest" | "node";
  /** Files of tests, below the package. */
  readonly tests: readonly string[];
  /** Tests that pass before the migration and not after it, with the reason; goes stale when one passes. */
  readonly expected?: Readonly<Record<string, string>>;
}
