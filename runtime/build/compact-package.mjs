import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, posix } from "node:path";
import { dts } from "rolldown-plugin-dts";
import { breakLines } from "./break-lines.mjs";
import { bundle } from "./bundle.mjs";
import { compactExports, exportedNames } from "./compact-exports.mjs";
import { compactReexports } from "./compact-reexports.mjs";
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
  const entries = packageEntries(folder);
  const modules = readdirSync(dist, { recursive: true }).filter((path) => path.endsWith(".js"));
  const isFlat = modules.length === entries.length;
  const named = Object.fromEntries(entries.map((entry) => [entry, entry]));
  const code = await bundleModules(dist, named, isFlat ? { external: isImported } : {});
  const types = isFlat
    ? declarationsOf(dist, entries)
    : await bundlePublicDeclarations(dist, named);
  const bundledParts = [];
  const names = parts.map((part) => basename(part));
  for (const part of parts) bundledParts.push(await bundlePart(part, dist, names, code, types));

  for (const [index, part] of parts.entries()) {
    replaceFolder(join(part, "dist"), bundledParts[index]);
  }
  replaceFolder(dist, [...code.files, ...types.files]);
}

/** Folders below that of a package which have a package.json. */
function partsOf(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, "package.json")))
    .map(({ name }) => join(folder, name));
}

async function bundlePart(part, dist, names, code, types) {
  const name = basename(part);
  const others = names.filter((other) => other !== name);
  const entries = Object.fromEntries(
    packageEntries(part, join(dist, name)).map((entry) => [entry, `${name}/${entry}`]),
  );
  const { files } = await bundleModules(dist, entries, {
    plugins: [leaveToRuntime(code.modules, dist, others)],
  });
  const declarations = await bundleDeclarations(dist, entries, [
    leaveToRuntime(types.modules, dist, others),
  ]);
  return [...files, ...compactDeclarations(declarations.files)];
}

async function bundleModules(dist, entries, input) {
  const { files, modules } = await bundle(dist, entries, ".js", {
    input: {
      ...input,
      makeAbsoluteExternalsRelative: false,
      treeshake: { moduleSideEffects: false },
    },
    output: { comments: { annotation: true, jsdoc: false, legal: false }, minify: MINIFY },
  });
  const compact = files.map(({ path, text }) => ({
    path,
    text: breakLines(compactReexports(text)),
  }));
  return { files: compact, modules };
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

/** For a package of entries only: each of them is bundled alone. */
function isImported(_id, importer) {
  return importer !== undefined;
}

/** What is in a file of declarations is declared anyway, once it is exported. */
const AMBIENT = /^export declare /gm;

const KEPT_NAMES = { class: true, function: false };
const MINIFY = {
  compress: { target: "es2022", keepNames: KEPT_NAMES },
  mangle: { keepNames: KEPT_NAMES },
};
