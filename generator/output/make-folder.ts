import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Creates a folder and what is missing above it. Unlike `mkdir` with `recursive`, it comes to an end where a file
 * system says that the parent of a new folder does not exist although it does, as `/proc` says.
 */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  let folder = resolve(path);
  while (statSync(folder, { throwIfNoEntry: false }) === undefined && dirname(folder) !== folder) {
    missing.push(folder);
    folder = dirname(folder);
  }
  for (const next of missing.toReversed()) makeOne(next);
}

/** Another run may create it at the same moment. */
function makeOne(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
