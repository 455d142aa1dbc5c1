import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Diagnostics } from "../diagnostics.js";
import { checkPaths, refusePath } from "../output/paths.js";
import { type Change } from "../output/compare.js";
import { checkFolder } from "../output/inventory.js";
import { write } from "../output/write.js";
import type { OutputFile } from "../plan/file-plan.js";

/**
 * Writes a new project's files. Existing files with the same names are replaced. Symbolic links are neither followed
 * nor replaced.
 *
 * @returns true if the project was written; otherwise, the diagnostics explain why not
 */
export function writeProject(
  path: string,
  files: readonly OutputFile[],
  diagnostics: Diagnostics,
): boolean {
  const folder = { root: path, path };
  const paths = files.map((file) => file.path);
  if (!checkPaths(paths, diagnostics) || !checkFolder(folder, paths, diagnostics)) return false;
  const changes = files.map((file) => changeOf(path, file, diagnostics));
  return !diagnostics.hasErrors && write(folder, changes, diagnostics);
}

function changeOf(folder: string, { path, text }: OutputFile, diagnostics: Diagnostics): Change {
  const file = join(folder, path);
  try {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return { path, status: "missing", after: text };
    if (stats.isFile()) return { path, status: "changed", after: text };
    const note = stats.isSymbolicLink() ? "a symbolic link" : "not a regular file";
    return { path, status: "foreign", after: text, note };
  } catch (error) {
    refusePath("read", file, error, diagnostics);
    return { path, status: "foreign", after: text };
  }
}
