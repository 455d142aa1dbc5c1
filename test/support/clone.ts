import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageFolders, root } from "./pack.js";
import { runOrThrow } from "./run.js";

/**
 * Creates a clone of this repository as `npm ci` leaves it, without an installation and a build of its own, which
 * `.ci/run` would begin with. Third-party packages are linked, and the build is copied.
 *
 * @returns The new folder that contains the clone.
 */
export async function cloneRepository(): Promise<{ folder: string; clone: string }> {
  const folder = mkdtempSync(join(tmpdir(), "mcp-codegen-clone-"));
  const clone = join(folder, "mcp-codegen");
  await runOrThrow("git", ["clone", "--quiet", "--depth", "1", pathToFileURL(root).href, clone]);
  const modules = join(clone, "node_modules");
  mkdirSync(join(modules, "@mcp-codegen"), { recursive: true });
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (name === "@mcp-codegen" || name.startsWith(".package-lock")) continue;
    symlinkSync(join(root, "node_modules", name), join(modules, name), "junction");
  }
  for (const own of packageFolders()) {
    const dist = join(own === "." ? "generator" : own, "dist");
    if (existsSync(join(root, dist)))
      cpSync(join(root, dist), join(clone, dist), { recursive: true });
    if (own === ".") continue;
    const name = own.replace(/^(?:generated|runtime)\//, "");
    symlinkSync(join(clone, own), join(modules, "@mcp-codegen", name), "junction");
  }
  return { folder, clone };
}
