import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { bench, root } from "./places.js";

/** True on Windows, where npm is a script that only a shell can start. */
export const isWindows = process.platform === "win32";

/** Installs the contestants unless the versions in the lock file are installed. */
export function installContestants(): void {
  const installed = changed(join(bench, "node_modules/.package-lock.json"));
  if (changed(join(bench, "package-lock.json")) <= installed) return;
  const args = ["ci", "--prefix", bench, "--ignore-scripts", "--no-audit", "--no-fund"];
  // stdout is for figures, so npm's lines go to stderr.
  const { status } = spawnSync("npm", args, {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: isWindows,
  });
  if (status !== 0) throw new Error("The contestants could not be installed");
}

/** Returns the time of the last change, or 0 for a file that does not exist. */
function changed(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
