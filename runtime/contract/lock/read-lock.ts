import type { Diagnostics } from "mcp-codegen";
import { isObject } from "../json.js";
import {
  digestsOf,
  serverDigest,
  type Definition,
  entriesOf,
  LOCK_VERSION,
  type LockedServer,
  type LockFile,
  isServerName,
  NAME_RULE,
  type Lists,
  LOCK_LIMITS,
} from "./lock-file.js";
import { LISTS, type ContractList, entryKind, FAMILIES } from "../families.js";
import { NOT_REGULAR, readText } from "mcp-codegen/cli";

export function readLock(path: string, diagnostics: Diagnostics): LockFile | undefined {
  const value = readJson(path, "The lock file", diagnostics, WRITE);
  return value === undefined ? undefined : lockOf(value, path, diagnostics);
}

/** Returns the value as a lock file, if it is one and its digests match its definitions. */
export function lockOf(
  value: unknown,
  file: string,
  diagnostics: Diagnostics,
): LockFile | undefined {
  const refuse = (message: string, hint: string): undefined => {
    diagnostics.add({ code: "MCG9001", severity: "error", message, hint, file });
    return undefined;
  };
  if (!isObject(value) || value["lockVersion"] === undefined || !isObject(value["servers"])) {
    return refuse("This is not a lock file: it lacks lockVersion or servers.", WRITE);
  }
  if (value["lockVersion"] !== LOCK_VERSION) {
    const version = JSON.stringify(value["lockVersion"]);
    return refuse(
      `The lock file has version ${version}; this mcp-codegen reads version ${LOCK_VERSION}.`,
      "Use the mcp-codegen that wrote it, or lock the servers again.",
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
  if (!isObject(server)) return "it must be an object";
  if (!isObject(server["source"])) return "it has no source";
  const scope = scopeProblem(server["scope"]);
  if (scope !== undefined) return scope;
  for (const list of LISTS) {
    const entries = server[list] ?? [];
    if (!Array.isArray(entries)) return `its ${list} must be an array`;
    const definitions = entries.map((entry: unknown) =>
      isObject(entry) ? entry["definition"] : undefined,
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
  if (!isObject(scope)) return "its scope is not an object";
  const { only = [], ignore = [], declares = {} } = scope;
  const areTexts = [only, ignore].every(
    (list) => Array.isArray(list) && list.every((item) => typeof item === "string"),
  );
  return areTexts && isObject(declares) ? undefined : "its scope is invalid";
}

function digestProblem(server: LockedServer): string | undefined {
  for (const list of LISTS) {
    for (const { definition, digests } of entriesOf(server, list)) {
      const expected = digestsOf(definition as Definition);
      const isSame = Object.entries(expected).every(
        ([part, digest]) => (digests as unknown as Definition | undefined)?.[part] === digest,
      );
      if (!isSame) return `the digests of an entry of its ${list} do not match the definition`;
    }
  }
  return serverDigest(server, server) === server.digest
    ? undefined
    : "its digest does not match its content";
}

export function readJson(
  path: string,
  what: string,
  diagnostics: Diagnostics,
  advice: string = "Check its path.",
): unknown {
  const refuse = (message: string, hint: string): undefined => {
    diagnostics.add({ code: "MCG9001", severity: "error", message, hint, file: path });
    return undefined;
  };
  let text: string;
  try {
    text = readText(path, LOCK_LIMITS.file);
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return refuse(`${what} does not exist.`, advice);
    return refuse(`${what} cannot be read: ${PROBLEMS[code] ?? code}.`, "Check its path.");
  }
  try {
    return JSON.parse(text);
  } catch {
    const isConflict = /^<{7} /m.test(text);
    return refuse(
      `${what} is not JSON${isConflict ? ": it has a merge conflict" : ""}.`,
      isConflict ? "Take either side, then run mcp-codegen lock." : "Write it again.",
    );
  }
}

const PROBLEMS: Readonly<Record<string, string>> = {
  EISDIR: "it is a folder",
  EFBIG: `it is larger than ${LOCK_LIMITS.file / 1024 / 1024} MiB`,
  [NOT_REGULAR]: "it is a device or a pipe",
};

/**
 * Returns the lists in an object and any problems found in them. Missing lists are empty, and invalid entries are
 * omitted.
 */
export function listsOf(value: Definition): {
  readonly lists: Lists;
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const lists = LISTS.map((list) => {
    const entries = value[list] ?? [];
    if (!Array.isArray(entries)) {
      problems.push(`its ${list} must be an array`);
      return [list, []] as const;
    }
    const usable = entries.filter((entry: unknown, index): entry is Definition => {
      const problem = entryProblem(list, entry);
      if (problem !== undefined)
        problems.push(`${list}[${index}] is not a valid ${FAMILIES[list].noun}: ${problem}`);
      return problem === undefined;
    });
    return [list, usable] as const;
  });
  return { lists: Object.fromEntries(lists) as unknown as Lists, problems };
}

function entryProblem(list: ContractList, entry: unknown): string | undefined {
  if (!isObject(entry)) return "it must be an object";
  if (typeof entry[FAMILIES[list].key] !== "string") return `it has no ${FAMILIES[list].key}`;
  if (entryKind(list) !== "tool") return undefined;
  if (!isObject(entry["inputSchema"])) return "it has no inputSchema";
  const output = entry["outputSchema"];
  return output === undefined || isObject(output)
    ? undefined
    : "its outputSchema must be an object";
}
