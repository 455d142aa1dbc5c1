import { accessSync, constants, renameSync, statSync, unlinkSync, writeFileSync } from "node:fs";

/**
 * Replaces the text of an existing file atomically, and keeps its permissions.
 * @throws as `node:fs` does; the file is then unchanged
 */
export function rewrite(file: string, text: string): void {
  accessSync(file, constants.W_OK);
  const { mode } = statSync(file);
  const next = `${file}.${process.pid}.new`;
  try {
    writeFileSync(next, text, { mode, flag: "wx" });
    renameSync(next, file);
  } catch (error) {
    try {
      unlinkSync(next);
    } catch {
      // The file was not created.
    }
    throw error;
  }
}
