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
import { packages } from "../../.github/packages.mjs";
import { runOrThrow } from "./run.js";
import { SHARED } from "./shared-folder.js";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Folders of all packages that this repository publishes. */
export const packageFolders = (): string[] => packages.map(({ folder }) => folder);

export interface Packed {
  readonly name: string;
  readonly tarball: string;
  readonly files: readonly string[];
  /** Bytes on disk once installed. */
  readonly unpackedSize: number;
}

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
  const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", destination];
  const printed = JSON.parse(await runOrThrow("npm", args, { cwd: join(root, folder) })) as unknown;
  const [info] = (Array.isArray(printed) ? printed : Object.values(printed as object)) as [
    { name: string; filename: string; unpackedSize: number; files: { path: string }[] },
  ];
  return {
    name: info.name,
    tarball: join(destination, info.filename.replace("@", "").replace("/", "-")),
    files: info.files.map(({ path }) => path),
    unpackedSize: info.unpackedSize,
  };
}
