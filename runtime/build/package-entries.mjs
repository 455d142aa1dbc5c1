import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What a package offers, by the file that it is published in; paths below its `dist`, without ending. Subpaths that are
 * published in one file have declarations of their own, which say what is meant for whom.
 *
 * @param sources - the folder that tsc has filled
 * @returns the modules that went into each file
 * @throws Error for one that package.json has and the build has not
 */
export function packageEntries(folder, sources = join(folder, "dist")) {
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = new Map();
  for (const { types, default: file } of Object.values(exports)) {
    if (types === undefined) continue;
    const entry = pathIn(types, ".d.ts");
    if (!existsSync(join(sources, `${entry}.js`))) {
      throw new Error(`${folder} exports ${entry}, but tsc has not built it: run it first`);
    }
    const name = pathIn(file, ".js");
    files.set(name, [...(files.get(name) ?? []), entry]);
  }
  return files;
}

function pathIn(path, ending) {
  return path.slice("./dist/".length, -ending.length);
}
