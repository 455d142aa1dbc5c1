import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Paths of the modules that a package offers, below its `dist` and without ending.
 *
 * @param sources - the folder that tsc has filled
 * @throws Error for one that package.json has and the build has not
 */
export function packageEntries(folder, sources = join(folder, "dist")) {
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const entries = Object.values(exports)
    .map(({ default: path }) => /^\.\/dist\/(.+)\.js$/.exec(path ?? "")?.[1])
    .filter((path) => path !== undefined);
  for (const entry of entries) {
    const file = join(sources, `${entry}.js`);
    if (!existsSync(file)) {
      throw new Error(`${folder} exports ${entry}, but ${file} was not built: run tsc first`);
    }
  }
  return entries;
}
