import { existsSync } from "node:fs";
import { LOCK_LIMITS } from "../../contract/lock/lock-limits.js";
import type { Diagnostics } from "../../diagnostics.js";
import { readText } from "../../load/read-bytes.js";
import { refusePath } from "../../output/refuse-path.js";
import { place } from "../../pull/place.js";

/** Writes a lock file, wholly or not at all; one with the same text is left as it is. */
export function writeLock(file: string, text: string, diagnostics: Diagnostics): boolean {
  try {
    const isThere = existsSync(file);
    if (isThere && readText(file, LOCK_LIMITS.file).replaceAll("\r\n", "\n") === text) return true;
  } catch (error) {
    refusePath("read", file, error, diagnostics);
    return false;
  }
  return place(file, Buffer.from(text), true, diagnostics) !== undefined;
}
