import { execFile } from "node:child_process";
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Package, ServerEntry } from "./manifest.js";
import { interop, root } from "./places.js";
import type { Program } from "./child.js";

const run = promisify(execFile);
const INSTALL_TIMEOUT = 300_000;
const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--save-exact"];

/** Installed packages, each in its own folder. Installing runs none of their code. */
export class Packages {
  readonly #cache: string;
  readonly #ours: string;
  readonly #installing = new Map<string, Promise<string>>();

  constructor(cache: string) {
    this.#cache = cache;
    // Two simultaneous runs must not remove each other's packages.
    this.#ours = join(cache, `ours-${process.pid}`);
  }

  /** Returns the folder with a package's `node_modules`, which is installed once. */
  folder(entry: Package): Promise<string> {
    const specs = [`${entry.package}@${entry.version}`, ...(entry.with ?? [])];
    const key = specs.join(",").replaceAll("/", "+");
    const known = this.#installing.get(key) ?? this.#install(key, specs);
    this.#installing.set(key, known);
    return known;
  }

  async #install(key: string, specs: readonly string[]): Promise<string> {
    const folder = join(this.#cache, "packages", key);
    if (!existsSync(folder)) {
      // The folder is either complete or missing, whatever happens in the meantime.
      const fresh = `${folder}.${process.pid}`;
      await install(fresh, specs);
      rmSync(folder, { recursive: true, force: true });
      renameSync(fresh, folder);
    }
    copyPrograms(folder);
    return folder;
  }

  /** Returns a folder with our packages, packed from this repository; `end` removes it. */
  async ours(): Promise<string> {
    const packed = join(this.#ours, "packed");
    const folder = join(this.#ours, "installed");
    mkdirSync(packed, { recursive: true });
    const args = ["pack", "--workspaces", "--ignore-scripts", "--pack-destination", packed];
    await run("npm", args, { cwd: root, maxBuffer: 64 << 20 });
    const tarballs = readdirSync(packed).map((name) => join(packed, name));
    const zod = readFileSync(join(root, "node_modules/zod/package.json"), "utf8");
    await install(folder, [...tarballs, `zod@${(JSON.parse(zod) as Manifest).version}`]);
    copyPrograms(folder);
    return folder;
  }

  end(): void {
    rmSync(this.#ours, { recursive: true, force: true });
  }
}

async function install(folder: string, specs: readonly string[]): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  // Old packages have peer dependencies that are no longer available.
  const args = ["install", ...quiet, "--legacy-peer-deps", ...specs];
  await run("npm", args, { cwd: folder, timeout: INSTALL_TIMEOUT, maxBuffer: 64 << 20 });
}

/** Copies our programs, because they import the packages beside them. */
function copyPrograms(folder: string): void {
  cpSync(join(interop, "programs"), join(folder, "programs"), { recursive: true });
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin?: string | Readonly<Record<string, string>>;
}

function manifestOf(folder: string, name: string): Manifest | undefined {
  const path = join(folder, "node_modules", name, "package.json");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Manifest) : undefined;
}

/**
 * Returns the way to start an installed server.
 *
 * @throws Error under the same conditions as `executable`
 */
export function programIn(folder: string, entry: ServerEntry): Program {
  if (entry.program === undefined) return executable(folder, entry);
  return { file: process.execPath, args: [join(folder, "programs", entry.program)] };
}

/**
 * Returns the way to start an installed package's executable.
 *
 * @throws Error if the entry selects none and the package does not have exactly one
 */
export function executable(folder: string, entry: Package): Program {
  const { bin = {} } = manifestOf(folder, entry.package)!;
  const files = [...new Set(typeof bin === "string" ? [bin] : Object.values(bin))];
  if (entry.bin === undefined && files.length !== 1)
    throw new Error(`${entry.package} has ${files.length} executables: ${files.join(", ")}`);
  const file = join(folder, "node_modules", entry.package, entry.bin ?? files[0]!);
  if (!isBinary(file)) return { file: process.execPath, args: [file] };
  chmodSync(file, 0o755);
  return { file, args: [] };
}

function isBinary(file: string): boolean {
  const begin = Buffer.alloc(4);
  const handle = openSync(file, "r");
  readSync(handle, begin, 0, 4, 0);
  closeSync(handle);
  return begin.includes(0x7f) || begin.includes(0);
}

/** Packages that servers are built on, the most significant first. */
const foundations = [
  "fastmcp",
  "mcp-framework",
  "litemcp",
  "muppet",
  "tmcp",
  "mcp-lite",
  "@mastra/mcp",
  "@modelcontextprotocol/server",
  "@modelcontextprotocol/sdk",
];

/** Returns the software that a package is built on, as its folder shows. */
export function foundationOf(folder: string, entry: Package): string {
  const inner = `${entry.package}/node_modules/`;
  for (const name of foundations) {
    if (name === entry.package) continue;
    const found = manifestOf(folder, inner + name) ?? manifestOf(folder, name);
    if (found !== undefined) return `${shortNames[name] ?? name} ${found.version}`;
  }
  return "bundled";
}

const shortNames: Readonly<Record<string, string>> = {
  "@modelcontextprotocol/server": "SDK",
  "@modelcontextprotocol/sdk": "SDK",
};
