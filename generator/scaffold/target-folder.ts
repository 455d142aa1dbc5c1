import { lstatSync, readdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Entries that a folder may contain and still count as empty. */
const HARMLESS = new Set([".git", ".DS_Store"]);

/**
 * Returns the reason why a project cannot be written to a folder, or undefined if it can. Nothing is deleted, even with
 * `force`.
 */
export function refuseTarget(folder: string, force: boolean): string | undefined {
  const blocked = fileAbove(folder);
  if (blocked !== undefined) return `${blocked} is a file; choose another name.`;
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (stats.isSymbolicLink()) return `${folder} is a symbolic link; name the folder itself.`;
  if (!stats.isDirectory()) return `${folder} is a file; choose another name.`;
  const occupied = readdirSync(folder).some((entry) => !HARMLESS.has(entry));
  if (!occupied || force) return undefined;
  return `${folder} is not empty; choose another name, or use --force to write into it (files of the same name are replaced).`;
}

/** Returns a folder's nearest existing ancestor if that ancestor is a file. */
function fileAbove(folder: string): string | undefined {
  for (let above = dirname(folder); above !== dirname(above); above = dirname(above)) {
    try {
      return statSync(above).isDirectory() ? undefined : above;
    } catch {
      // It does not exist, or an ancestor is a file: the next iteration checks the parent.
    }
  }
  return undefined;
}
