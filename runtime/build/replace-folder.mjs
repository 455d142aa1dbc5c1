import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Gives a folder these files and no others. At no time is there a folder with some of the files. */
export function replaceFolder(folder, files) {
  const [next, last] = [`${folder}.next`, `${folder}.last`];
  for (const leftover of [next, last]) rmSync(leftover, { recursive: true, force: true });
  for (const { path, text } of files) {
    const file = join(next, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  if (existsSync(folder)) renameSync(folder, last);
  renameSync(next, folder);
  rmSync(last, { recursive: true, force: true });
}
