import { parseArgs } from "node:util";
import type { Effort } from "./section.js";

export interface Command {
  /** The ids of the sections to run. */
  readonly sections: readonly string[];
  readonly effort: Effort;
  /** The JSON file for the results. */
  readonly json: string | undefined;
  /** True to write the report and the README's table. */
  readonly isReport: boolean;
}

/** Thrown if the command line is wrong. */
export class UsageError extends Error {}

const full = { rounds: 5, warmUp: 600, warmUpRequests: 15_000, measured: 600, isSmoke: false };
const smoke = { rounds: 1, warmUp: 0, warmUpRequests: 0, measured: 30, isSmoke: true };

const options = {
  smoke: { type: "boolean" },
  rounds: { type: "string" },
  json: { type: "string" },
  report: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

export function usage(known: readonly string[]): string {
  return `npm run bench -- [section…] [--rounds N] [--smoke] [--json FILE] [--report]

  section   what to run: ${known.join(", ")} (default: all)
  --rounds  how many rounds (default: ${full.rounds}); fewer take less time and say less
  --smoke   starts every program once and checks its answers: a minute; the figures mean nothing
  --json    writes the results to FILE, with the values of each round
  --report  writes test/bench/results and the table in README.md; named sections replace those of the last report`;
}

/**
 * Parses the command line.
 *
 * @returns undefined for a request for help
 * @throws {UsageError}
 */
export function commandOf(args: readonly string[], known: readonly string[]): Command | undefined {
  const { values, positionals } = parsed(args);
  if (values.help) return undefined;
  const unknown = positionals.filter((id) => !known.includes(id));
  if (unknown.length > 0) {
    throw new UsageError(`Unknown section: ${unknown.join(", ")}. Known: ${known.join(", ")}.`);
  }
  const isReport = values.report ?? false;
  if (isReport && values.smoke) throw new UsageError("--report needs sections in full");
  if (values.json === "") throw new UsageError("--json needs the name of a file");
  return {
    sections: known.filter((id) => positionals.length === 0 || positionals.includes(id)),
    effort: values.smoke ? smoke : { ...full, rounds: roundsOf(values.rounds) },
    json: values.json,
    isReport,
  };
}

function roundsOf(text: string | undefined): number {
  if (text === undefined) return full.rounds;
  if (!/^[1-9]\d?$/.test(text)) throw new UsageError("--rounds needs a number from 1 to 99");
  return Number(text);
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
