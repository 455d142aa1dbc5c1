import { existsSync } from "node:fs";
import { LOCK_LIMITS } from "../lock/lock-limits.js";
import type { Diagnostics } from "mcp-codegen";
import { place, readText, refusePath } from "mcp-codegen/cli";

/** Writes a lock file atomically; a file with the same text is not touched. */
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
