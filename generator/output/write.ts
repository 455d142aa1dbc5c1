import { renameSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Diagnostics } from "../diagnostics.js";
import type { Change } from "./compare.js";
import type { OutputFolder } from "./inventory.js";
import { createFolder, closeStaging, openStaging } from "./staging.js";
import { refusePath } from "./paths.js";

/**
 * Updates the output folder to match the generated files. All new text is written to a staging folder before any file
 * is renamed into place, so that, after an interruption, each file is either entirely old or entirely new.
 *
 * @returns true if everything was written; otherwise, the diagnostics report what was not
 */
export function write(
  folder: OutputFolder,
  changes: readonly Change[],
  diagnostics: Diagnostics,
): boolean {
  if (!checkForeign(folder, changes, diagnostics)) return false;
  const updates = changes.filter(({ status }) => status !== "unchanged" && status !== "extra");
  const leftovers = changes.filter(({ status }) => status === "extra");
  if (updates.length === 0 && leftovers.length === 0) return true;
  return (
    (updates.length === 0 || replace(folder, updates, diagnostics)) &&
    leftovers.every(({ path }) => remove(join(folder.path, path), diagnostics))
  );
}

/** Rejects foreign files at paths that we need. Does not read or write anything. */
export function checkForeign(
  folder: OutputFolder,
  changes: readonly Change[],
  diagnostics: Diagnostics,
): boolean {
  const foreign = changes.filter(({ status }) => status === "foreign");
  for (const { path, note } of foreign) {
    const file = join(folder.path, path);
    diagnostics.add({
      code: "MCG6003",
      severity: "error",
      message: `"${file}" is in the way: ${note}.`,
      hint: "Move it elsewhere, or choose another folder (--out); only files that mcp-codegen generated are replaced.",
      file,
    });
  }
  return foreign.length === 0;
}

/** Rejects the replacement or removal of edited files. Does not read or write anything. */
export function checkEdited(
  folder: OutputFolder,
  changes: readonly Change[],
  diagnostics: Diagnostics,
): boolean {
  const edited = changes.filter(({ losesEdits }) => losesEdits);
  for (const { path, status } of edited) {
    const file = join(folder.path, path);
    diagnostics.add({
      code: "MCG6009",
      severity: "error",
      message: `"${file}" was edited after it was generated, and would be ${status === "extra" ? "removed" : "replaced"}.`,
      hint: "Keep your changes elsewhere, then use --force; --check shows them.",
      file,
    });
  }
  return edited.length === 0;
}

function replace(
  folder: OutputFolder,
  updates: readonly Change[],
  diagnostics: Diagnostics,
): boolean {
  let at = folder.path;
  let staging: string | undefined;
  try {
    createFolder(folder.path);
    staging = openStaging(folder.path);
    for (const [index, { path, after = "" }] of updates.entries()) {
      at = join(folder.path, path);
      writeFileSync(join(staging, String(index)), after, { flag: "wx" });
    }
    for (const [index, { path }] of updates.entries()) {
      at = join(folder.path, path);
      createFolder(dirname(at));
      renameSync(join(staging, String(index)), at);
    }
    return true;
  } catch (error) {
    refusePath("write", at, error, diagnostics);
    return false;
  } finally {
    if (staging) closeStaging(staging);
  }
}

function remove(path: string, diagnostics: Diagnostics): boolean {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return true;
    refusePath("remove", path, error, diagnostics);
    return false;
  }
  return true;
}
