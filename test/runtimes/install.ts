import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/pack.js";

/** The folder with the runtimes, which the project itself does not install. */
export const folder = join(root, "test/runtimes");

/** Installs the runtimes, unless those in the lock file are already installed. */
export function setup(): void {
  const installed = changed(join(folder, "node_modules/.package-lock.json"));
  if (changed(join(folder, "package-lock.json")) <= installed) return;
  const args = ["ci", "--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error"];
  const { status } = spawnSync("npm", args, {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error("The runtimes could not be installed");
}

/** Returns the time of the last change, or 0 for a file that does not exist. */
function changed(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
