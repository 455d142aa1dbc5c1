import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Matches imports in files that start processes, open sockets or build packages, and the use of Node's own program. */
const SLOW =
  /from "(?:node:(?:child_process|dgram|http|https|net|tls|worker_threads)|vite|rolldown|typescript[^"]*|[^"]*(?:support\/(?:bundle|pack|run)\.js|runtime\/http\/(?:node|express|fastify)|runtime\/stdio\/client|generator\/dist\/[^"]*))"|\bprocess\.execPath\b/;
const IMPORT = /from "(\.[^"]+)\.js"/g;

/**
 * Returns the paths of the tests that need no process, socket or package build, as determined by what their files
 * import from `test/`.
 */
export function fastTests(root: string): string[] {
  const folder = join(root, "test");
  const slow = new Map<string, boolean>();
  const isSlow = (file: string): boolean => {
    const known = slow.get(file);
    if (known !== undefined) return known;
    // Files can import each other.
    slow.set(file, false);
    const text = readFileSync(file, "utf8");
    const local = [...text.matchAll(IMPORT)].map(
      ([, path = ""]) => `${resolve(dirname(file), path)}.ts`,
    );
    const used = local.filter((path) => path.startsWith(folder) && existsSync(path));
    const found = SLOW.test(text) || used.some(isSlow);
    slow.set(file, found);
    return found;
  };
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts") && !/node_modules|^runtimes[/\\]/.test(path))
    .filter((path) => !isSlow(join(folder, path)))
    .map((path) => `test/${path.replaceAll("\\", "/")}`)
    .toSorted();
}
