import { lstatSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Diagnostics } from "../diagnostics.js";
import { createFolder, closeStaging, openStaging } from "../output/staging.js";
import { refusePath } from "../output/paths.js";

/** The result of placing a file: `same` if an identical file already existed. */
export type Placement = "created" | "replaced" | "same";

/**
 * Writes a file atomically, without silently overwriting another one.
 *
 * @param force - true to replace a file that has different content; a symbolic link or folder is never replaced
 */
export function place(
  file: string,
  bytes: Uint8Array,
  force: boolean,
  diagnostics: Diagnostics,
): Placement | undefined {
  try {
    const there = lstatSync(file, { throwIfNoEntry: false });
    if (there && !there.isFile()) {
      return refuse(file, "is not a regular file", "Move it elsewhere.", diagnostics);
    }
    if (there && readFileSync(file).equals(bytes)) return "same";
    if (there && !force) {
      return refuse(
        file,
        "exists, and is different",
        "Compare them, then use --force to replace it.",
        diagnostics,
      );
    }
    createFolder(dirname(file));
    const staging = openStaging(dirname(file));
    try {
      writeFileSync(join(staging, "file"), bytes, { flag: "wx" });
      renameSync(join(staging, "file"), file);
    } finally {
      closeStaging(staging);
    }
    return there ? "replaced" : "created";
  } catch (error) {
    refusePath("write", file, error, diagnostics);
    return undefined;
  }
}

function refuse(file: string, what: string, hint: string, diagnostics: Diagnostics): undefined {
  diagnostics.add({
    code: "MCG6008",
    severity: "error",
    message: `"${file}" ${what}.`,
    hint,
    file,
  });
}
