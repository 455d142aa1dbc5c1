import { parseArgs } from "node:util";

export const sectionNames = ["servers", "contracts", "clients", "gateways"] as const;
export type SectionName = (typeof sectionNames)[number];

export interface Command {
  readonly sections: readonly SectionName[];
  /** The text that an entry's name must contain; undefined for all entries. */
  readonly only: string | undefined;
  /** The folder for installed packages; undefined for the default. */
  readonly cache: string | undefined;
}

/** Wrong usage. */
export class UsageError extends Error {}

export const usage = `npm run interop -- [--servers] [--contracts] [--clients] [--gateways] [--only NAME] [--cache FOLDER]

  --servers   published servers with our client
  --contracts lock files and typed clients of published servers
  --clients   versions of the official client with our server
  --gateways  gateways between them
              (default: all four; each writes its part of test/interop/REPORT.md)
  --only      entries whose name contains NAME; the report stays as it is
  --cache     where packages are installed (default: ~/.cache/mcp-codegen-interop)`;

const options = {
  servers: { type: "boolean" },
  contracts: { type: "boolean" },
  clients: { type: "boolean" },
  gateways: { type: "boolean" },
  only: { type: "string" },
  cache: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

/**
 * Parses the command line.
 *
 * @returns undefined if help is requested
 * @throws {UsageError}
 */
export function commandOf(args: readonly string[]): Command | undefined {
  const values = parsed(args);
  if (values.help) return undefined;
  for (const name of ["only", "cache"] as const)
    if (values[name] === "") throw new UsageError(`--${name} needs a value`);
  const chosen = sectionNames.filter((name) => values[name]);
  return {
    sections: chosen.length === 0 ? sectionNames : chosen,
    only: values.only,
    cache: values.cache,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
