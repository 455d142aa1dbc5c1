import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { pack as packPackages, type Packed } from "../../.github/pack.mjs";
import { packages } from "../../.github/packages.mjs";
import { SHARED } from "./shared-folder.js";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Returns the folders of all packages that this repository publishes. */
export const packageFolders = (): string[] => packages.map(({ folder }) => folder);

export type { Packed };

/**
 * Packs a package as `npm publish` would; it must have been built. The first call in a test run packs all packages,
 * which takes no longer than packing two.
 */
export async function pack(folder: string, destination: string): Promise<Packed> {
  const { archives, packed } = await (packing ??= packAll());
  const one = packed.find((each) => each.folder === folder)!;
  const tarball = join(destination, basename(one.tarball));
  copyFileSync(join(archives, basename(one.tarball)), tarball);
  return { ...one, tarball };
}

let packing: ReturnType<typeof packAll> | undefined;

async function packAll(): Promise<{ archives: string; packed: readonly Packed[] }> {
  const shared = process.env[SHARED]!;
  const archives = join(shared, "packed");
  const record = join(archives, "packed.json");
  if (!existsSync(record)) {
    const work = mkdtempSync(`${archives}-`);
    writeFileSync(join(work, "packed.json"), JSON.stringify(await packPackages(packages, work)));
    // Another test file may have been faster.
    if (!existsSync(record)) renameSync(work, archives);
  }
  return { archives, packed: JSON.parse(readFileSync(record, "utf8")) as Packed[] };
}
