import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Diagnostics } from "../../diagnostics.js";
import { makeFolder } from "../../output/make-folder.js";
import { refusePath } from "../../output/refuse-path.js";
import { rewrite } from "../../output/rewrite.js";

/** Writes a lock file, wholly or not at all; one with the same text is left as it is. */
export function writeLock(file: string, text: string, diagnostics: Diagnostics): boolean {
  try {
    if (!existsSync(file)) {
      makeFolder(dirname(file));
      writeFileSync(file, text, { flag: "wx" });
    } else if (readFileSync(file, "utf8").replaceAll("\r\n", "\n") !== text) rewrite(file, text);
    return true;
  } catch (error) {
    refusePath("write", file, error, diagnostics);
    return false;
  }
}
