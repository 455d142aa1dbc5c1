import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** Returns the number of bytes in a folder and everything below it, except `node_modules`. */
function bytesOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== "node_modules")
    .map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? bytesOf(path) : statSync(path).size;
    })
    .reduce((total, size) => total + size, 0);
}

/**
 * Returns the number of bytes in installed packages and everything that they depend on, found as Node finds them from a
 * folder.
 */
export function installedSize(packages: readonly string[], from: string): number {
  const found = new Set<string>();
  const visit = (name: string, start: string): void => {
    const folder = packageFolder(name, start);
    if (folder === undefined || found.has(folder)) return;
    found.add(folder);
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      readonly dependencies?: Readonly<Record<string, string>>;
    };
    for (const dependency of Object.keys(manifest.dependencies ?? {})) visit(dependency, folder);
  };
  for (const name of packages) visit(name, from);
  return [...found].reduce((total, folder) => total + bytesOf(folder), 0);
}

function packageFolder(name: string, start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const path = join(folder, "node_modules", name);
    if (existsSync(path)) return realpathSync(path);
    if (folder === dirname(folder)) return undefined;
  }
}
