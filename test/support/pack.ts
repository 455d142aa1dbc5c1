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

/** Folders of all packages that this repository publishes. */
export const packageFolders = (): string[] => packages.map(({ folder }) => folder);

export type { Packed };

/** Packs a package as `npm publish` would, once per run of the tests; the build must be there. */
export async function pack(folder: string, destination: string): Promise<Packed> {
  const shared = process.env[SHARED];
  if (shared === undefined) return packNow(folder, destination);
  const cached = join(shared, `packed-${folder.replace(/[./]/g, "_")}`);
  const record = join(cached, "packed.json");
  if (!existsSync(record)) {
    const work = mkdtempSync(`${cached}-`);
    const packed = await packNow(folder, work);
    writeFileSync(join(work, "packed.json"), JSON.stringify(packed));
    // Another test file may have been faster.
    if (!existsSync(record)) renameSync(work, cached);
  }
  const packed = JSON.parse(readFileSync(record, "utf8")) as Packed;
  const name = basename(packed.tarball);
  copyFileSync(join(cached, name), join(destination, name));
  return { ...packed, tarball: join(destination, name) };
}

async function packNow(folder: string, destination: string): Promise<Packed> {
  const chosen = packages.filter((one) => one.folder === folder);
  const [packed] = await packPackages(chosen, destination);
  return packed!;
}
