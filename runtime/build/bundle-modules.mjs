import { breakLines } from "./break-lines.mjs";
import { bundle } from "./bundle.mjs";
import { compactReexports } from "./compact-reexports.mjs";

/** Modules as they are published: bundled, without comments, with short local names. See `bundle`. */
export async function bundleModules(dist, entries, input = {}, output = {}) {
  const { files, modules } = await bundle(dist, entries, ".js", {
    input: {
      ...input,
      makeAbsoluteExternalsRelative: false,
      treeshake: { moduleSideEffects: false },
    },
    output: {
      ...output,
      comments: { annotation: true, jsdoc: false, legal: false },
      minify: MINIFY,
    },
  });
  const compact = files.map(({ text, ...file }) => ({
    ...file,
    text: breakLines(compactReexports(text)),
  }));
  return { files: compact, modules };
}

const KEPT_NAMES = { class: true, function: false };
const MINIFY = {
  compress: { target: "es2022", keepNames: KEPT_NAMES },
  mangle: { keepNames: KEPT_NAMES },
};
