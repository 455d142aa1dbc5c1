import { existsSync, lstatSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { readConfig } from "./compiler-options.js";
import { listedFiles } from "./git.js";

const SOURCE = /\.(?:[cm]?[jt]s|[jt]sx)$/;

/** Matches folders that contain dependencies or build output, and hidden files and folders. */
const SKIPPED = /(?:^|\/)(?:node_modules|bower_components|dist|coverage|\.[^/]+)(?:\/|$)/;

/** A project's files, as paths relative to its folder, with `/` as the separator. */
export interface ProjectFiles {
  readonly sources: readonly string[];
  readonly manifests: readonly string[];
  readonly configs: readonly string[];
}

/**
 * Returns a project's files, without dependencies and build output. They are the files that git tracks or would add or,
 * outside a work tree, all files.
 */
export function projectFiles(folder: string): ProjectFiles {
  const all = (listedFiles(folder) ?? walked(folder, ""))
    .filter((path) => !SKIPPED.test(path) && isFile(join(folder, path)))
    .toSorted();
  const configs = all.filter((path) => /(?:^|\/)[tj]sconfig[^/]*\.json$/.test(path));
  const written = outputFolders(folder, configs);
  const own = all.filter((path) => !written.some((place) => path.startsWith(place)));
  return {
    sources: own.filter((path) => SOURCE.test(path)),
    manifests: own.filter((path) => /(?:^|\/)package\.json$/.test(path)),
    configs,
  };
}

/** Returns the build output in a package's `dist` folder, even if git ignores it. */
export function builtFiles(folder: string): readonly string[] {
  if (!existsSync(join(folder, "dist"))) return [];
  const files = walked(join(folder, "dist"), "").map((path) => `dist/${path}`);
  return files.filter((path) => SOURCE.test(path) && isFile(join(folder, path))).toSorted();
}

function isFile(path: string): boolean {
  return existsSync(path) && lstatSync(path).isFile();
}

function walked(folder: string, below: string): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (SKIPPED.test(path)) return [];
    return entry.isDirectory() ? walked(folder, path) : [path];
  });
}

/** Returns the compiler's output folders below the project, each with a trailing slash. */
function outputFolders(folder: string, configs: readonly string[]): string[] {
  return configs.flatMap((path) => {
    const file = join(folder, path);
    const { outDir } = (readConfig(file)?.compilerOptions ?? {}) as { outDir?: unknown };
    if (typeof outDir !== "string") return [];
    const place = relative(folder, resolve(dirname(file), outDir))
      .split(sep)
      .join("/");
    return place === "" || place.startsWith("..") ? [] : [`${place}/`];
  });
}
