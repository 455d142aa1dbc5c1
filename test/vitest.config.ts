import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { runtimeFolders } from "./support/pack.js";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The subpaths of a package, as their sources. */
function sourcesOf(folder: string): { find: RegExp; replacement: string }[] {
  const { name, exports } = JSON.parse(readFileSync(`${root}${folder}/package.json`, "utf8"));
  return Object.entries<{ types?: string }>(exports).flatMap(([subpath, target]) => {
    const source = target.types?.replace("./dist/", "").replace(/\.d\.ts$/, ".ts");
    const find = new RegExp(`^${name}${subpath.slice(1)}$`);
    return source ? [{ find, replacement: `${root}${folder}/${source}` }] : [];
  });
}

/** Tests run against the sources, never against a build that may be stale. */
export default defineConfig({
  root,
  resolve: {
    alias: [
      ...[...runtimeFolders(), "generated/universal"].flatMap(sourcesOf),
      { find: /^@mcp-codegen\/([^/]+)$/, replacement: `${root}generated/$1/index.ts` },
      { find: /^@mcp-codegen\/([^/]+)\/(.+)$/, replacement: `${root}generated/$1/$2.ts` },
    ],
  },
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
