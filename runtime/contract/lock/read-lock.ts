import type { Diagnostics } from "mcp-codegen";
import { digestsOf, serverDigest } from "./digests.js";
import { LISTS } from "../families.js";
import {
  type Definition,
  entriesOf,
  LOCK_VERSION,
  type LockedServer,
  type LockFile,
} from "./lock-file.js";
import { isServerName, NAME_RULE } from "./server-names.js";
import { isRecord, listsOf, readJson } from "./read-json.js";

/** Reads a lock file. Undefined if it cannot be used, which the diagnostics report. */
export function readLock(path: string, diagnostics: Diagnostics): LockFile | undefined {
  const value = readJson(path, "The lock file", diagnostics, WRITE);
  return value === undefined ? undefined : lockOf(value, path, diagnostics);
}

/** Checks that a value is a lock file whose digests match its definitions. */
export function lockOf(
  value: unknown,
  file: string,
  diagnostics: Diagnostics,
): LockFile | undefined {
  const refuse = (message: string, hint: string): undefined => {
    diagnostics.add({ code: "MCG9001", severity: "error", message, hint, file });
    return undefined;
  };
  if (!isRecord(value) || value["lockVersion"] === undefined || !isRecord(value["servers"])) {
    return refuse("This is no lock file: it lacks lockVersion or servers.", WRITE);
  }
  if (value["lockVersion"] !== LOCK_VERSION) {
    const version = JSON.stringify(value["lockVersion"]);
    return refuse(
      `The lock file has version ${version}; this one reads version ${LOCK_VERSION}.`,
      "Use the mcp-codegen that wrote it, or write it again.",
    );
  }
  for (const [name, server] of Object.entries(value["servers"])) {
    const problem = isServerName(name) ? problemOf(server) : NAME_RULE;
    if (problem !== undefined) {
      return refuse(`The server ${JSON.stringify(name)} cannot be used: ${problem}.`, WRITE);
    }
  }
  return value as unknown as LockFile;
}

const WRITE =
  "Write it with: mcp-codegen lock <name> <url>, or: mcp-codegen lock <name> -- <command>";

function problemOf(server: unknown): string | undefined {
  if (!isRecord(server)) return "it is no object";
  if (!isRecord(server["source"])) return "it has no source";
  const scope = scopeProblem(server["scope"]);
  if (scope !== undefined) return scope;
  for (const list of LISTS) {
    const entries = server[list] ?? [];
    if (!Array.isArray(entries)) return `its ${list} are no list`;
    const definitions = entries.map((entry: unknown) =>
      isRecord(entry) ? entry["definition"] : undefined,
    );
    const [problem] = listsOf({ [list]: definitions }).problems;
    if (problem !== undefined) return problem;
  }
  try {
    return digestProblem(server as unknown as LockedServer);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return "a definition has too many levels";
  }
}

function scopeProblem(scope: unknown): string | undefined {
  if (scope === undefined) return undefined;
  if (!isRecord(scope)) return "its scope is not an object";
  const { only = [], ignore = [], declares = {} } = scope;
  const areTexts = [only, ignore].every(
    (list) => Array.isArray(list) && list.every((item) => typeof item === "string"),
  );
  return areTexts && isRecord(declares) ? undefined : "its scope is invalid";
}

function digestProblem(server: LockedServer): string | undefined {
  for (const list of LISTS) {
    for (const { definition, digests } of entriesOf(server, list)) {
      const expected = digestsOf(definition as Definition);
      const isSame = Object.entries(expected).every(
        ([part, digest]) => (digests as unknown as Definition | undefined)?.[part] === digest,
      );
      if (!isSame) return `the digests of an entry of its ${list} do not belong to the definition`;
    }
  }
  return serverDigest(server, server) === server.digest
    ? undefined
    : "its digest does not belong to what it says";
}
