import { cpSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { pack, root } from "./pack.js";
import { runOrThrow } from "./run.js";

/** Packs a package as it is published, compiled and compacted in a place of its own; gives the tarball. */
export async function publish(path: string, folder: string): Promise<string> {
  const source = join(root, path);
  const copy = join(folder, path);
  for (const name of readdirSync(source)) {
    if (/\.(?:json|md)$|^LICENSE$/.test(name)) cpSync(join(source, name), join(copy, name));
  }
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  await runOrThrow(process.execPath, [tsc, "-p", source, "--outDir", join(copy, "dist")]);
  await runOrThrow(process.execPath, [join(root, "runtime/build/compact.mjs"), copy]);
  return (await pack(relative(root, copy), folder)).tarball;
}
