import { execFile } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { bench, root } from "./size-places.js";

/** What lies in `node_modules` after an installation. */
export interface Footprint {
  readonly packages: number;
  readonly bytes: number;
  readonly files: number;
}

interface Manifest {
  readonly name: string;
  readonly dependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
  readonly peerDependenciesMeta?: Record<string, { readonly optional?: boolean }>;
}

type Files = Pick<Footprint, "bytes" | "files">;

const isOurs = (folder: string): boolean => !folder.includes("node_modules");

/** What npm installs for packages that a project depends on: those, and all that they depend on. */
export async function footprintsOf(wanted: readonly (readonly string[])[]): Promise<Footprint[]> {
  const installations = wanted.map((names) => {
    const folders = new Set<string>();
    for (const name of names) addWithDependencies(folderOf(name, [bench, root]), folders);
    return [...folders];
  });
  const all = [...new Set(installations.flat())];
  const sizes = new Map([
    ...(await sizesAsPublished(all.filter(isOurs))),
    ...all
      .filter((folder) => !isOurs(folder))
      .map((folder) => [folder, filesBelow(folder)] as const),
  ]);
  return installations.map((folders) => ({
    packages: folders.length,
    bytes: sum(folders.map((folder) => sizes.get(folder)!.bytes)),
    files: sum(folders.map((folder) => sizes.get(folder)!.files)),
  }));
}

function addWithDependencies(folder: string, folders: Set<string>): void {
  if (folders.has(folder)) return;
  folders.add(folder);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
  const needed = Object.keys(peerDependencies).filter(
    (name) => !peerDependenciesMeta[name]?.optional,
  );
  for (const name of [...Object.keys(dependencies), ...needed]) {
    addWithDependencies(folderOf(name, [folder]), folders);
  }
}

/** Looks for a package as Node does, upwards. */
function folderOf(name: string, starts: readonly string[]): string {
  for (const start of starts) {
    for (let at = start; ; at = dirname(at)) {
      const folder = join(at, "node_modules", name);
      if (existsSync(join(folder, "package.json"))) return realpathSync(folder);
      if (at === dirname(at)) break;
    }
  }
  throw new Error(`${name} is not installed: npm run bench does that`);
}

/** Without packages inside, which count for themselves. */
function filesBelow(folder: string): Files {
  const counted = { bytes: 0, files: 0 };
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === "node_modules") continue;
    const path = join(folder, entry.name);
    const seen = entry.isDirectory() ? filesBelow(path) : { bytes: lstatSync(path).size, files: 1 };
    counted.bytes += seen.bytes;
    counted.files += seen.files;
  }
  return counted;
}

/** What npm would put into the archives of packages of this repository. */
async function sizesAsPublished(folders: readonly string[]): Promise<[string, Files][]> {
  const args = ["pack", "--dry-run", "--ignore-scripts", "--json", ...folders];
  const { stdout } = await promisify(execFile)("npm", args, { cwd: root, maxBuffer: 64 << 20 });
  const printed = Object.values(JSON.parse(stdout) as object) as {
    unpackedSize: number;
    entryCount: number;
  }[];
  if (printed.length !== folders.length) throw new Error(`npm pack told of ${printed.length}`);
  return printed.map(({ unpackedSize, entryCount }, index) => [
    folders[index]!,
    { bytes: unpackedSize, files: entryCount },
  ]);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
