import type { Diagnostics } from "mcp-codegen";
import { NOT_REGULAR, readText } from "mcp-codegen/cli";
import { type ContractList, entryKind, FAMILIES, LISTS } from "../families.js";
import { type Definition, type Lists } from "./lock-file.js";
import { LOCK_LIMITS } from "./lock-limits.js";

/**
 * Reads a JSON file; undefined if that fails.
 *
 * @param advice - what to do if the file does not exist
 */
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
    if (code === "ENOENT") return refuse(`${what} is not there.`, advice);
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

export function isRecord(value: unknown): value is Definition {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Lists of an object, and what is wrong with them; missing lists are empty. */
export function listsOf(value: Definition): {
  readonly lists: Lists;
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const lists = LISTS.map((list) => {
    const entries = value[list] ?? [];
    if (!Array.isArray(entries)) {
      problems.push(`its ${list} are no list`);
      return [list, []] as const;
    }
    const usable = entries.filter((entry: unknown, index): entry is Definition => {
      const problem = entryProblem(list, entry);
      if (problem !== undefined)
        problems.push(`${list}[${index}] is no ${FAMILIES[list].noun}: ${problem}`);
      return problem === undefined;
    });
    return [list, usable] as const;
  });
  return { lists: Object.fromEntries(lists) as unknown as Lists, problems };
}

function entryProblem(list: ContractList, entry: unknown): string | undefined {
  if (!isRecord(entry)) return "it is no object";
  if (typeof entry[FAMILIES[list].key] !== "string") return `it has no ${FAMILIES[list].key}`;
  if (entryKind(list) !== "tool") return undefined;
  if (!isRecord(entry["inputSchema"])) return "it has no inputSchema";
  const output = entry["outputSchema"];
  return output === undefined || isRecord(output) ? undefined : "its outputSchema is no object";
}
