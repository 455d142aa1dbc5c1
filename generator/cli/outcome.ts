import type { Text } from "./text.js";

/** Result of a command, both as text for people and as JSON for programs. */
export interface Outcome {
  /** Members of the JSON document, beside `command`, `exitCode` and `diagnostics`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The same for people, on standard output. */
  readonly lines: readonly Text[];
  /** Last line, on standard error. */
  readonly summary?: Text;
  /** The disk is not as it should be: exit code 1. */
  readonly drift?: boolean;
}
