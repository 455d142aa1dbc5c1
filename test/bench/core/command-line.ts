import { parseArgs } from "node:util";
import type { Depth } from "./section.js";

export interface Command {
  /** The sections that are run, by their ids; all of them when none is named. */
  readonly sections: readonly string[];
  readonly depth: Depth;
  /** Where the results go as JSON. */
  readonly json: string | undefined;
  /** Whether the report and the README's table are written. */
  readonly isReport: boolean;
  /** Whether contestants are installed and packages are built where that is due. */
  readonly prepares: boolean;
}

/** Something that was typed and cannot be done. */
export class UsageError extends Error {}

const options = {
  short: { type: "boolean" },
  json: { type: "string" },
  report: { type: "boolean" },
  "no-build": { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

export function usage(known: readonly string[]): string {
  return `npm run bench -- [section…] [--short] [--json FILE] [--report] [--no-build]

  section     what to run: ${known.join(", ")} (all, when none is named)
  --short     fewer contestants, cases and rounds: all sections in less than three minutes
  --json      also writes the results to FILE
  --report    also writes test/bench/results and the table in README.md
  --no-build  neither installs contestants nor builds packages: measures what is there`;
}

/**
 * @returns undefined where help was asked for
 * @throws {UsageError}
 */
export function commandOf(args: readonly string[], known: readonly string[]): Command | undefined {
  const { values, positionals } = parsed(args);
  if (values.help) return undefined;
  const unknown = positionals.filter((id) => !known.includes(id));
  if (unknown.length > 0) {
    const what = unknown.length === 1 ? "No such section" : "No such sections";
    throw new UsageError(`${what}: ${unknown.join(", ")}. There are ${known.join(", ")}.`);
  }
  if (values.report && positionals.length > 0) {
    throw new UsageError("--report is about all sections: name none");
  }
  if (values.json === "") throw new UsageError("--json needs the name of a file");
  return {
    sections: known.filter((id) => positionals.length === 0 || positionals.includes(id)),
    depth: values.short ? "short" : "full",
    json: values.json,
    isReport: values.report ?? false,
    prepares: !values["no-build"],
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
