import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, posix } from "node:path";
import { dts } from "rolldown-plugin-dts";
import { bundle, isElsewhere } from "./bundle.mjs";
import { bundleFlat } from "./bundle-flat.mjs";
import { bundleJoined } from "./bundle-joined.mjs";
import { bundleModules } from "./bundle-modules.mjs";
import { compactExports, exportedNames } from "./compact-exports.mjs";
import { compactSpacing } from "./compact-spacing.mjs";
import { joinConstants } from "./join-constants.mjs";
import { leaveToRuntime } from "./leave-to-runtime.mjs";
import { packageEntries } from "./package-entries.mjs";
import { replaceFolder } from "./replace-folder.mjs";
import { shortenImports } from "./shorten-imports.mjs";

/**
 * Rewrites what tsc has put into `dist`: modules without comments and with short local names, declarations with their
 * documentation and nothing that is out of reach. A package in which every module is an entry keeps its files; of
 * any other, the entries remain, and what they share. Folders in it that are packages of their own get a `dist` too.
 */
export async function compactPackage(folder) {
  const dist = join(folder, "dist");
  const parts = partsOf(folder);
  const files = packageEntries(folder);
  const entries = [...files.values()].flat();
  const modules = readdirSync(dist, { recursive: true }).filter((path) => path.endsWith(".js"));
  const isFlat = modules.length === entries.length;
  const code = isFlat
    ? { files: await bundleFlat(dist, entries), modules: new Set() }
    : await bundleJoined(dist, files);
  const types = isFlat
    ? declarationsOf(dist, entries)
    : await bundlePublicDeclarations(dist, named(entries));
  const bundledParts = [];
  const names = parts.map((part) => basename(part));
  for (const part of parts) bundledParts.push(await bundlePart(part, dist, names, code, types));

  for (const [index, part] of parts.entries()) {
    replaceFolder(join(part, "dist"), bundledParts[index]);
  }
  replaceFolder(dist, [...code.files, ...types.files]);
}

/** Entries by the names of their files, which are the same but for the folder. */
function named(entries, folder = "") {
  return Object.fromEntries(entries.map((entry) => [entry, `${folder}${entry}`]));
}

/** Folders below that of a package which have a package.json. */
function partsOf(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, "package.json")))
    .map(({ name }) => join(folder, name));
}

/** Packages that users install; those that are there only for development are bundled. */
function isLeftOut(part) {
  const { devDependencies = {} } = JSON.parse(readFileSync(join(part, "package.json"), "utf8"));
  return (id) => isElsewhere(id) && !Object.hasOwn(devDependencies, id);
}

async function bundlePart(part, dist, names, code, types) {
  const name = basename(part);
  const others = names.filter((other) => other !== name);
  const entries = named([...packageEntries(part, join(dist, name)).values()].flat(), `${name}/`);
  const { files } = await bundleModules(dist, entries, {
    external: isLeftOut(part),
    plugins: [leaveToRuntime(code.modules, dist, others)],
  });
  const declarations = await bundleDeclarations(dist, entries, [
    leaveToRuntime(types.modules, dist, others),
  ]);
  return [...files, ...compactDeclarations(declarations.files)];
}

function declarationsOf(dist, entries) {
  const files = entries.map((entry) => {
    const path = `${entry}.d.ts`;
    const text = readFileSync(join(dist, path), "utf8");
    return {
      path,
      text: compactSpacing(shortenImports(joinConstants(text)).replace(AMBIENT, "export ")),
    };
  });
  return { files, modules: new Set() };
}

/** What only parts import is not for anybody to see; their own declarations are made of what is public. */
async function bundlePublicDeclarations(dist, { internal, ...documented }) {
  const { files, modules } = await bundleDeclarations(dist, documented);
  const classes = new Set(files.flatMap(({ text }) => text.match(/(?<=\bclass )\w+/g) ?? []));
  for (const file of files) file.text = withoutTypeMarks(file.text, classes);
  if (internal !== undefined) files.push({ path: `${internal}.d.ts`, text: "export {};\n" });
  return { files: compactDeclarations(files), modules };
}

/** What can only be a type need not be marked as one where it is exported. */
function withoutTypeMarks(text, classes) {
  const unmark = (marked, name) => (classes.has(name) ? marked : name);
  return text.replace(/^export \{.*\};$/gm, (list) => list.replace(/\btype (\w+)/g, unmark));
}

async function bundleDeclarations(dist, entries, plugins = []) {
  const { files, modules } = await bundle(dist, entries, ".d.ts", {
    input: {
      plugins: [...plugins, dts({ dtsInput: true, tsconfig: false })],
      experimental: { attachDebugInfo: "none" },
    },
    output: { minifyInternalExports: false },
  });
  return { files, modules };
}

/** How declarations that were bundled together are published. */
function compactDeclarations(files) {
  const names = new Map(files.map(({ path, text }) => [path, exportedNames(text)]));
  return files.map(({ path, text }) => {
    const namesIn = (module) =>
      names.get(posix.join(posix.dirname(path), module.replace(/\.js$/, ".d.ts")));
    return { path, text: compactSpacing(compactExports(text, namesIn)) };
  });
}

/** What is in a file of declarations is declared anyway, once it is exported. */
const AMBIENT = /^export declare /gm;
