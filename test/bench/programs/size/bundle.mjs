// Bundles programs with esbuild: `node bundle.mjs '[{"input", "output"}, ...]'`. Prints the gzipped bytes of each.
import { build } from "esbuild";
import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";

/** The banner for bundles with CommonJS dependencies, which call `require`. */
const requiring =
  'import{createRequire as createRequireOfBundle}from"node:module";const require=createRequireOfBundle(import.meta.url);';

async function bundled({ input, output }, banner = "") {
  await build({
    entryPoints: [input],
    outfile: output,
    banner: { js: banner },
    bundle: true,
    minify: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["module", "2025-11-25"],
    legalComments: "none",
    logLevel: "error",
  });
  return readFile(output);
}

async function measured(task) {
  let code = await bundled(task);
  if (code.includes("Dynamic require of")) code = await bundled(task, requiring);
  return gzipSync(code, { level: 9 }).length;
}

const sizes = await Promise.all(JSON.parse(process.argv[2]).map(measured));
console.log(JSON.stringify(sizes));
