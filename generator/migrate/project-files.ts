import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { ts } from "ts-morph";

const SOURCE = /\.(?:[cm]?[jt]s|[jt]sx)$/;

/** Folders with dependencies or build output. */
const SKIPPED = /(?:^|\/)(?:node_modules|bower_components|dist|coverage|\.[^/]+)(?:\/|$)/;

/** Options of git that prevent it from running programs that a repository names. */
const GIT = ["-c", "core.fsmonitor=false"];

/** Files of a project, by their path below its folder, with `/`. */
export interface ProjectFiles {
  readonly sources: readonly string[];
  readonly manifests: readonly string[];
  /** Compiler configurations. */
  readonly configs: readonly string[];
}

/** Files below a folder: those that git tracks or would track, without dependencies and build output. */
export function projectFiles(folder: string): ProjectFiles {
  const all = (listed(folder) ?? walked(folder, ""))
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

function isFile(path: string): boolean {
  return existsSync(path) && lstatSync(path).isFile();
}

/** Files that git lists; undefined if the folder is not in a repository. */
function listed(folder: string): string[] | undefined {
  try {
    const options = ["--cached", "--others", "--exclude-standard", "-z"];
    const output = execFileSync("git", [...GIT, "ls-files", ...options], {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 1 << 28,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return [...new Set(output.split("\0").filter(Boolean))];
  } catch {
    return undefined;
  }
}

function walked(folder: string, below: string): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (SKIPPED.test(path)) return [];
    return entry.isDirectory() ? walked(folder, path) : [path];
  });
}

/** Output folders of the compiler, according to its configurations, each with a trailing slash. */
function outputFolders(folder: string, configs: readonly string[]): string[] {
  return configs.flatMap((path) => {
    const file = join(folder, path);
    const { config } = ts.readConfigFile(file, ts.sys.readFile);
    const { outDir } = (config?.compilerOptions ?? {}) as { outDir?: unknown };
    if (typeof outDir !== "string") return [];
    const place = relative(folder, resolve(dirname(file), outDir))
      .split(sep)
      .join("/");
    return place === "" || place.startsWith("..") ? [] : [`${place}/`];
  });
}

/** State of the git work tree around a folder. */
export type WorkTree = "clean" | "changed" | "none";

export function workTree(folder: string): WorkTree {
  try {
    const output = execFileSync("git", [...GIT, "status", "--porcelain", "--", "."], {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 1 << 28,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return output.trim() === "" ? "clean" : "changed";
  } catch {
    return "none";
  }
}
