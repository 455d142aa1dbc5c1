import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const NAME = /^\.mcp-codegen-staging-[0-9a-f]{16}$/;
/** Milliseconds after which a staging folder counts as left behind by a killed run: a run only needs it briefly. */
const ABANDONED_AFTER = 60_000;

/**
 * Creates a folder for temporary files, unique to this run, and removes those of killed runs. It is inside the output
 * folder, the one place that is certainly writable and on the same file system.
 */
export function openStaging(folder: string): string {
  for (const name of readdirSync(folder)) {
    if (NAME.test(name)) removeAbandoned(join(folder, name));
  }
  const staging = join(folder, `.mcp-codegen-staging-${randomBytes(8).toString("hex")}`);
  mkdirSync(staging);
  return staging;
}

/** Removes a staging folder; if that fails, a later run removes it. */
export function closeStaging(staging: string): void {
  try {
    rmSync(staging, { recursive: true, force: true });
  } catch {
    return;
  }
}

function removeAbandoned(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() && Date.now() - stats.mtimeMs > ABANDONED_AFTER) {
    closeStaging(path);
  }
}
