// Bundles programs with esbuild: `node bundle.mjs '[{"input", "output", "alias"}, ...]'`. Prints the bytes of each.
import { build } from "esbuild";
import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";

/** What a module in the format of ES needs of a dependency that is CommonJS. */
const requiring =
  'import{createRequire as createRequireOfBundle}from"node:module";const require=createRequireOfBundle(import.meta.url);';

async function bundled({ input, output, alias }, banner = "") {
  await build({
    entryPoints: [input],
    outfile: output,
    alias,
    banner: { js: banner },
    bundle: true,
    minify: true,
    platform: "node",
    format: "esm",
    target: "node20",
    legalComments: "none",
    logLevel: "error",
  });
  return readFile(output);
}

async function measured(task) {
  let code = await bundled(task);
  if (code.includes("Dynamic require of")) code = await bundled(task, requiring);
  return { minified: code.length, compressed: gzipSync(code, { level: 9 }).length };
}

const sizes = await Promise.all(JSON.parse(process.argv[2]).map(measured));
console.log(JSON.stringify(sizes));
