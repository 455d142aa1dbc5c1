import { execFileSync } from "node:child_process";

/** The options that prevent git from running hooks and monitors configured by a repository. */
const WITHOUT_PROGRAMS = ["-c", "core.fsmonitor=", "-c", "core.hooksPath=/dev/null"];

/**
 * The name of an empty environment variable, which is passed to `--config-env` to override the repository's filter
 * settings.
 */
const EMPTY = "MCP_CODEGEN_EMPTY";

/**
 * The environment variables that prevent git from refreshing the index, and from fetching objects that a partial clone
 * lacks.
 */
const ENVIRONMENT = {
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  [EMPTY]: "",
};

export type WorkTree = "clean" | "changed" | "none";

/** Compares a folder with the last commit. Submodules are not compared. */
export function workTree(folder: string): WorkTree {
  const words = ["status", "--porcelain", "--ignore-submodules=all", "--", "."];
  const output = git(folder, words);
  if (output === undefined) return "none";
  return output.trim() === "" ? "clean" : "changed";
}

/**
 * Returns the files below a folder that git tracks or would add. Returns undefined if git fails, for example outside a
 * work tree.
 */
export function listedFiles(folder: string): string[] | undefined {
  const words = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const output = git(folder, words);
  return output === undefined ? undefined : [...new Set(output.split("\0").filter(Boolean))];
}

/**
 * Runs git without the programs that the repository's configuration names, because a repository from an unpacked
 * archive could name any program. Filters in the user's own configuration still run.
 *
 * @returns the output; undefined if git fails, for example outside a work tree
 */
function git(folder: string, words: readonly string[]): string | undefined {
  const run = (args: readonly string[]): string =>
    execFileSync("git", [...WITHOUT_PROGRAMS, ...args], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, ...ENVIRONMENT },
      maxBuffer: 1 << 28,
      stdio: ["ignore", "pipe", "ignore"],
    });
  try {
    const filters = repositoryFilters(run(["config", "--list", "--show-scope", "-z"]));
    return run([...filters.map((key) => `--config-env=${key}=${EMPTY}`), ...words]);
  } catch {
    return undefined;
  }
}

/**
 * Returns the names of the repository's own filter settings, from a list of scopes and entries:
 * `local\0filter.x.clean\nprogram\0`.
 */
function repositoryFilters(list: string): readonly string[] {
  const parts = list.split("\0");
  const keys = parts.flatMap((scope, index) => {
    if (index % 2 === 1 || scope === "system" || scope === "global") return [];
    const key = parts[index + 1]?.split("\n", 1)[0] ?? "";
    return /^filter\..+\.(?:clean|smudge|process|required)$/.test(key) ? [key] : [];
  });
  return [...new Set(keys)];
}
