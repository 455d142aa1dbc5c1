import { isAbsolute, relative } from "node:path";
import type { Diagnostics } from "../diagnostics.js";
import type { Facts } from "../link/facts.js";
import { readFacts } from "../link/read-facts.js";
import { MAX_BYTES } from "../load/limits.js";
import { load } from "../load/load.js";
import { NOT_REGULAR, readText } from "../load/read-bytes.js";
import type { Source } from "../load/source.js";

export interface Input {
  readonly source: Source;
  readonly facts?: Facts;
}

export function readInput(
  files: { readonly schema: string; readonly facts?: string },
  diagnostics: Diagnostics,
): Input | undefined {
  const source = load(fromHere(files.schema), diagnostics);
  if (files.facts === undefined) return source && { source };
  const facts = readFactsFile(files.facts, diagnostics);
  return source && facts && { source, facts };
}

export function readFactsFile(path: string, diagnostics: Diagnostics): Facts | undefined {
  const file = fromHere(path);
  let text: string;
  try {
    text = readText(file, MAX_BYTES);
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    diagnostics.add({
      code: "MCG1101",
      severity: "error",
      message: FACTS_PROBLEMS[code] ?? `Cannot read the facts: ${code}.`,
      hint: "Check the path of the facts.",
      file,
    });
    return undefined;
  }
  return readFacts(text, file, diagnostics);
}

const FACTS_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "There is no such file.",
  EISDIR: "The facts are a directory, not a file.",
  EFBIG: `The facts are larger than ${MAX_BYTES / 1024 / 1024} MiB.`,
  [NOT_REGULAR]: "The facts are a device or a pipe, not a file.",
};

/**
 * Returns a path for use in a command line that generated files contain. It is relative to the current folder, so that
 * the files do not name folders on this machine.
 */
export function inCommand(path: string): string {
  const here = isAbsolute(path) ? relative(process.cwd(), path) || "." : path;
  return isAbsolute(here) ? path : here;
}

/**
 * Returns a path relative to the current folder if the file or folder is below it; otherwise, returns the path
 * unchanged.
 */
export function fromHere(path: string): string {
  const here = isAbsolute(path) ? relative(process.cwd(), path) : path;
  return here.startsWith("..") || isAbsolute(here) ? path : here;
}
