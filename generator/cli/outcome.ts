import type { Text } from "./text.js";
import type { Diagnostic } from "../diagnostics.js";

export interface Outcome {
  /** The members of the JSON document other than `command`, `exitCode` and `diagnostics`. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly lines: readonly Text[];
  /** The last line, which is written to standard error. */
  readonly summary?: Text;
  /** True if the exit code must be 1, for example because the files on disk are not up to date. */
  readonly drift?: boolean;
  /** The exit code if there is no error and no drift, such as the exit code of a program that the command ran. */
  readonly exitCode?: number;
}

/** The process's exit codes, which are part of the documented interface. */
export const EXIT = {
  ok: 0,
  drift: 1,
  usage: 2,
  input: 3,
  network: 4,
  outage: 5,
  defect: 70,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * Returns the exit code for diagnostics. Command-line errors (MCG0) take precedence, followed by network errors (MCG7).
 * `outage` is returned only if all errors are MCG91.
 */
export function exitCodeOf(diagnostics: readonly Diagnostic[]): ExitCode {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return EXIT.ok;
  if (errors.some(({ code }) => code.startsWith("MCG0"))) return EXIT.usage;
  if (errors.some(({ code }) => code.startsWith("MCG7"))) return EXIT.network;
  if (errors.every(({ code }) => code.startsWith("MCG91"))) return EXIT.outage;
  return EXIT.input;
}
