import { join } from "node:path";
import { bundleModules } from "./bundle-modules.mjs";
import { leaveOut } from "./leave-out.mjs";

/**
 * The modules of a package in which every one is an entry. `index` takes in those of which it passes on all that they
 * export, and these become files that pass it on from there: loading a file costs more than what is in it.
 *
 * @returns the files
 */
export async function bundleFlat(dist, entries) {
  const exportedBy = new Map();
  for (const entry of entries) exportedBy.set(entry, await exportsOf(dist, entry));
  const inIndex = new Set(exportedBy.get(INDEX));
  const taken = entries.filter(
    (entry) => entry !== INDEX && exportedBy.get(entry).every((name) => inIndex.has(name)),
  );
  const isTaken = (path) => taken.some((entry) => join(dist, `${entry}.js`) === path);

  const files = [];
  for (const entry of entries) {
    const path = `${entry}.js`;
    if (taken.includes(entry)) {
      files.push({ path, text: `export{${exportedBy.get(entry).join()}}from"./${INDEX}.js";\n` });
      continue;
    }
    const plugins = [importFromIndex(isTaken, entry === INDEX)];
    const alone = await bundleModules(dist, { [entry]: entry }, { plugins });
    files.push(...alone.files);
  }
  return files;
}

async function exportsOf(dist, entry) {
  const { files } = await bundleModules(dist, { [entry]: entry });
  return files.find(({ path }) => path === `${entry}.js`).exports;
}

/** Leaves out all other modules of the package but, of `index` itself, those that it takes in. */
function importFromIndex(isTaken, isIndex) {
  return leaveOut("import-from-index", (path, source) => {
    if (!isTaken(path)) return source;
    return isIndex ? null : `./${INDEX}.js`;
  });
}

const INDEX = "index";
