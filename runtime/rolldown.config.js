import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { defineConfig } from "rolldown";

/**
 * Rooms of the runtime that several subpaths share, lower ones first. Each becomes one file, and so do those that every
 * program needs: Node takes about a millisecond to load a file.
 */
const rooms = {
  engine: ["ground", "wire", "api", "engine", "stateless", "session", "negotiation", "memory"],
  stdio: ["stdio"],
  "http-client": ["http/client"],
  "http-server": ["http/server"],
  "http-node": ["http/node"],
  features: ["features"],
  "json-schema": ["json-schema"],
  "facade-server": ["facade/server", "facade/extensions"],
  "facade-client": ["facade/client", "facade/cache"],
};

/**
 * Builds the JavaScript of a package: a file for each subpath, beside the declarations that `tsc` writes, and one for
 * each group of folders that subpaths share. A package among its `devDependencies` is bundled, and named in NOTICE.md.
 */
function published(folder, groups, alias = {}) {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const entries = Object.values(manifest.exports)
    .flatMap(({ types }) => types ?? [])
    .map((types) => types.slice("./dist/".length, -".d.ts".length));
  const isIn = (folders, id) => {
    const path = relative(folder, id).split(sep).join("/");
    return folders.some((one) => one === "." || path.startsWith(`${one}/`));
  };
  return {
    cwd: folder,
    input: Object.fromEntries(entries.map((entry) => [entry, `${entry}.ts`])),
    platform: "node",
    resolve: { alias },
    external: Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).map(
      (name) => new RegExp(`^${name}(/|$)`),
    ),
    logLevel: "warn",
    output: {
      dir: "dist",
      sourcemap: true,
      sourcemapExcludeSources: true,
      minifyInternalExports: false,
      comments: { jsdoc: false },
      chunkFileNames: "shared/[name].js",
      codeSplitting: {
        groups: Object.entries(groups).map(([name, folders], index, { length }) => ({
          name,
          test: (id) => isIn(folders, id),
          minShareCount: 2,
          priority: length - index,
        })),
      },
    },
  };
}

const sdk = join(import.meta.dirname, "sdk");
const generated = join(import.meta.dirname, "../generated");

/** A revision is loaded as a whole; of the package for several, a program may need one revision only. */
export default defineConfig([
  published(import.meta.dirname, rooms),
  published(join(import.meta.dirname, "auth"), { client: ["client"], server: ["server"] }),
  published(join(import.meta.dirname, "redis"), {}),
  published(
    sdk,
    { shared: ["shared"], client: ["client"], server: ["server"] },
    // zod-to-json-schema needs nothing else of it.
    { "zod/v3": join(sdk, "server/zod-3-kinds.ts") },
  ),
  ...readdirSync(generated).map((name) =>
    published(join(generated, name), name === "universal" ? {} : { revision: ["."] }),
  ),
]);
