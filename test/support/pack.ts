import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runOrThrow } from "./run.js";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Folders of all packages that this repository publishes. */
export function packageFolders(): string[] {
  const generated = readdirSync(join(root, "generated")).toSorted();
  return [".", "runtime", ...generated.map((name) => `generated/${name}`)];
}

export interface Packed {
  readonly name: string;
  readonly tarball: string;
  readonly files: readonly string[];
  /** Bytes on disk once installed. */
  readonly unpackedSize: number;
}

/** Packs a package as `npm publish` would; the build must be there. */
export async function pack(folder: string, destination: string): Promise<Packed> {
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
