import type { Diagnostic } from "../diagnostics.js";

/** Exit codes of the process; part of the documented interface. */
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

/** The errors decide by the family of their code, the user's command line first. */
export function exitCodeOf(diagnostics: readonly Diagnostic[]): ExitCode {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return EXIT.ok;
  if (errors.some(({ code }) => code.startsWith("MCG0"))) return EXIT.usage;
  if (errors.some(({ code }) => code.startsWith("MCG7"))) return EXIT.network;
  if (errors.every(({ code }) => code.startsWith("MCG91"))) return EXIT.outage;
  return EXIT.input;
}
