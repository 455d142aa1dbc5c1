import { accessSync, constants, renameSync, statSync, unlinkSync, writeFileSync } from "node:fs";

/**
 * Gives a file that is there another text: wholly or not at all, and with the permissions that it has.
 * @throws what `node:fs` throws; the file is as before then
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
      // It was not made.
    }
    throw error;
  }
}
