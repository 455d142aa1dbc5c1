import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { bench, root } from "../../core/places.js";
import { isWindows } from "../../core/prepare.js";

/** The contents of `node_modules` after an installation. */
export interface Footprint {
  readonly packages: number;
  readonly bytes: number;
}

interface Manifest {
  readonly dependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
  readonly peerDependenciesMeta?: Record<string, { readonly optional?: boolean }>;
}

/** Returns the footprint of the named packages, including all their dependencies and non-optional peers. */
export async function footprintOf(names: readonly string[]): Promise<Footprint> {
  const folders = new Set<string>();
  for (const name of names) addWithDependencies(folderOf(name, [bench, root]), folders);
  const sizes = await Promise.all([...folders].map(sizeOf));
  return { packages: folders.size, bytes: sizes.reduce((total, size) => total + size, 0) };
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

/** Returns the folder of a package, which it searches for upwards, as Node does. */
function folderOf(name: string, starts: readonly string[]): string {
  for (const start of starts) {
    for (let at = start; ; at = dirname(at)) {
      const folder = join(at, "node_modules", name);
      if (existsSync(join(folder, "package.json"))) return realpathSync(folder);
      if (at === dirname(at)) break;
    }
  }
  throw new Error(`${name} is not installed: npm run bench installs it`);
}

const known = new Map<string, Promise<number>>();

function sizeOf(folder: string): Promise<number> {
  const size = known.get(folder) ?? bytesOf(folder);
  known.set(folder, size);
  return size;
}

/** Returns the number of bytes as published. A package from this repository is counted as npm would pack it. */
async function bytesOf(folder: string): Promise<number> {
  if (folder.includes("node_modules")) return bytesBelow(folder);
  const options = { cwd: root, maxBuffer: 64 << 20, shell: isWindows };
  const args = ["pack", "--dry-run", "--ignore-scripts", "--json", folder];
  const { stdout } = await promisify(execFile)("npm", args, options);
  const [packed] = Object.values(JSON.parse(stdout) as object) as [{ unpackedSize: number }];
  return packed.unpackedSize;
}

/** Returns the number of bytes in a folder, without the packages inside it, which are counted separately. */
function bytesBelow(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== "node_modules")
    .map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? bytesBelow(path) : statSync(path).size;
    })
    .reduce((total, size) => total + size, 0);
}
