import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const NAME = /^\.mcp-codegen-staging-[0-9a-f]{16}$/;
/** Milliseconds after which a staging folder is what a killed run left: a run needs it for a moment only. */
const ABANDONED_AFTER = 60_000;

/**
 * Creates a folder for files under way, unique to this run, and clears away those of killed runs. It lies inside the
 * output folder: that is the one place certain to be writable and on the same file system.
 */
export function openStaging(folder: string): string {
  for (const name of readdirSync(folder)) {
    if (NAME.test(name)) removeAbandoned(join(folder, name));
  }
  const staging = join(folder, `.mcp-codegen-staging-${randomBytes(8).toString("hex")}`);
  mkdirSync(staging);
  return staging;
}

/** Removes a staging folder; one that cannot be removed is left to a later run. */
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
