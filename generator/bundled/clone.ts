import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createFolder, closeStaging, openStaging } from "../output/staging.js";
import { packageFolder } from "./bundled.js";

/** The name of the folder in which a project keeps the archives of our packages. */
export const VENDOR = "vendor";

/** A clone of this repository from which the command line runs. It packs the packages that are not in any registry. */
export interface Clone {
  /** Maps these packages and their dependencies to the file names of their archives. */
  archivesOf(names: readonly string[]): ReadonlyMap<string, string>;
  /**
   * Packs packages and their dependencies into the projects' vendor folders. Skips any project that this object has
   * already supplied.
   */
  packInto(projects: readonly Vendoring[]): Promise<void>;
  /** Returns the shell commands that pack packages and install the archives into a project in the current folder. */
  installCommands(names: readonly string[]): string;
  /**
   * Returns true if a project is in the clone's `generated/` folder, where packages resolve each other without
   * archives.
   */
  contains(project: string): boolean;
}

/** A project whose dependencies `names` are installed from archives in its vendor folder. */
export interface Vendoring {
  readonly folder: string;
  readonly names: readonly string[];
}

/** The exports of `.github/pack.mjs`, which exists in the repository but not in any published package. */
interface Packer {
  pack(chosen: readonly Chosen[], destination: string): Promise<unknown>;
  withDependencies(names: readonly string[]): readonly Chosen[];
}

interface Chosen {
  readonly name: string;
  readonly archive: string;
}

/** Returns the clone that this package belongs to; undefined for an installed package. */
export async function cloneAround(): Promise<Clone | undefined> {
  const root = packageFolder();
  const file = join(root, ".github", "pack.mjs");
  if (!existsSync(file)) return undefined;
  const { pack, withDependencies } = (await import(pathToFileURL(file).href)) as Packer;
  const done = new Set<string>();
  return {
    archivesOf: (names) => new Map(withDependencies(names).map((one) => [one.name, one.archive])),
    async packInto(projects) {
      const missing = projects.filter(({ folder }) => !done.has(resolve(folder)));
      if (missing.length === 0) return;
      const work = mkdtempSync(join(tmpdir(), "mcp-codegen-vendor-"));
      try {
        await pack(withDependencies(missing.flatMap(({ names }) => names)), work);
        for (const { folder, names } of missing) {
          const target = resolve(folder, VENDOR);
          const archives = withDependencies(names).map(({ archive }) => archive);
          place(archives, work, target);
          done.add(resolve(folder));
        }
      } finally {
        rmSync(work, { recursive: true, force: true });
      }
    },
    installCommands(names) {
      const path = relative(process.cwd(), root) || ".";
      const from = /\s/.test(path) ? JSON.stringify(path) : path;
      const packing = `npm run --prefix ${from} archives -- ${VENDOR} ${names.join(" ")}`;
      return `${packing} && npm install ./${VENDOR}/*.tgz`;
    },
    contains: (project) => dirname(resolve(project)) === join(root, "generated"),
  };
}

/** Copies archives into a folder. A symbolic link with the name of an archive is replaced, not followed. */
function place(archives: readonly string[], from: string, target: string): void {
  createFolder(target);
  const staging = openStaging(target);
  try {
    for (const archive of archives) {
      copyFileSync(join(from, archive), join(staging, archive));
      renameSync(join(staging, archive), join(target, archive));
    }
  } finally {
    closeStaging(staging);
  }
}
