import { cpSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { pack, root } from "./pack.js";
import { runOrThrow } from "./run.js";

const PUBLISHED = /^(?:[^/\\]+[/\\])?(?:[^/\\]+\.(?:json|md)|LICENSE)$/;

/**
 * Packs a package as it is published, and those in folders of it, compiled and compacted in a place of their own.
 *
 * @returns the tarballs by name of the package
 */
export async function publish(path: string, folder: string): Promise<Map<string, string>> {
  const source = join(root, path);
  const copy = join(folder, path);
  const all = readdirSync(source, { recursive: true, encoding: "utf8" });
  const files = all.filter((file) => PUBLISHED.test(file)).toSorted();
  for (const name of files) cpSync(join(source, name), join(copy, name));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  await runOrThrow(process.execPath, [tsc, "-p", source, "--outDir", join(copy, "dist")]);
  await runOrThrow(process.execPath, [join(root, "runtime/build/compact.mjs"), copy]);

  const tarballs = new Map<string, string>();
  for (const name of files.filter((file) => file.endsWith("package.json"))) {
    const packed = await pack(relative(root, dirname(join(copy, name))), folder);
    tarballs.set(packed.name, packed.tarball);
  }
  return tarballs;
}
