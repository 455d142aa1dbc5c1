import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { OutputFile } from "../plan/file-plan.js";

/** Writes a new project; files of the same name are replaced, all others stay. */
export function writeProject(folder: string, files: readonly OutputFile[]): void {
  for (const { path, text } of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
