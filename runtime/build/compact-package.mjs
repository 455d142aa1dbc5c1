import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { dts } from "rolldown-plugin-dts";
import { bundle } from "./bundle.mjs";
import { compactSpacing } from "./compact-spacing.mjs";
import { packageEntries } from "./package-entries.mjs";

/**
 * Rewrites what tsc has put into `dist`: modules without comments and with short local names, declarations with their
 * documentation and nothing that is out of reach. A package in which every module is an entry keeps its files; of
 * any other, the entries remain, and what they share.
 */
export async function compactPackage(folder) {
  const dist = join(folder, "dist");
  const entries = packageEntries(folder);
  const modules = readdirSync(dist, { recursive: true }).filter((path) => path.endsWith(".js"));
  const isFlat = modules.length === entries.length;
  replaceFolder(dist, [
    ...(await compactModules(dist, entries, isFlat ? { external: isImported } : {})),
    ...(isFlat ? declarationsOf(dist, entries) : await bundleDeclarations(dist, entries)),
  ]);
}

function compactModules(dist, entries, input) {
  return bundle(dist, entries, ".js", {
    input: {
      ...input,
      makeAbsoluteExternalsRelative: false,
      treeshake: { moduleSideEffects: false },
    },
    output: { comments: false, minify: MINIFY },
  });
}

function declarationsOf(dist, entries) {
  return entries.map((entry) => {
    const path = `${entry}.d.ts`;
    return { path, text: compactSpacing(readFileSync(join(dist, path), "utf8")) };
  });
}

async function bundleDeclarations(dist, entries) {
  const bundled = await bundle(dist, entries, ".d.ts", {
    input: {
      plugins: [dts({ dtsInput: true, tsconfig: false })],
      experimental: { attachDebugInfo: "none" },
    },
    output: { minifyInternalExports: false },
  });
  return bundled.map(({ path, text }) => ({ path, text: compactSpacing(text) }));
}

/** For a package of entries only: each of them is bundled alone. */
function isImported(_id, importer) {
  return importer !== undefined;
}

/** At no time is there a folder with some of the files. */
function replaceFolder(folder, files) {
  const [next, last] = [`${folder}.next`, `${folder}.last`];
  for (const leftover of [next, last]) rmSync(leftover, { recursive: true, force: true });
  for (const { path, text } of files) {
    const file = join(next, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  renameSync(folder, last);
  renameSync(next, folder);
  rmSync(last, { recursive: true });
}

const KEPT_NAMES = { class: true, function: false };
const MINIFY = {
  compress: { target: "es2022", keepNames: KEPT_NAMES },
  mangle: { keepNames: KEPT_NAMES },
};
