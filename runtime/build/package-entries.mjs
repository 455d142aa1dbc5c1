import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Paths of the modules that a package offers, below `dist` and without ending.
 *
 * @throws Error for one that package.json has and the build has not
 */
export function packageEntries(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const entries = Object.values(exports)
    .map(({ default: path }) => /^\.\/dist\/(.+)\.js$/.exec(path ?? "")?.[1])
    .filter((path) => path !== undefined);
  for (const entry of entries) {
    const file = join(folder, "dist", `${entry}.js`);
    if (!existsSync(file)) throw new Error(`package.json exports ${file}, which was not built`);
  }
  return entries;
}
