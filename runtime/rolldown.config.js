import { readFileSync } from "node:fs";
import { relative, sep } from "node:path";
import { defineConfig } from "rolldown";

const { exports, dependencies, peerDependencies } = JSON.parse(
  readFileSync(new URL("package.json", import.meta.url), "utf8"),
);

/** Source of each published subpath: `tsc` writes the declarations of `a/b.ts`, this its `a/b.js`. */
const entries = Object.values(exports)
  .flatMap(({ types }) => types ?? [])
  .map((types) => types.slice("./dist/".length, -".d.ts".length));

/**
 * Rooms that several subpaths share, lower ones first. Each becomes one file, and so do those that every program needs:
 * Node takes about a millisecond to load a file.
 */
const shared = {
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

function isIn(rooms, id) {
  const path = relative(import.meta.dirname, id)
    .split(sep)
    .join("/");
  return rooms.some((room) => path.startsWith(`${room}/`));
}

/** A package among the `devDependencies` is bundled, and named in NOTICE.md. */
export default defineConfig({
  cwd: import.meta.dirname,
  input: Object.fromEntries(entries.map((entry) => [entry, `${entry}.ts`])),
  platform: "node",
  external: Object.keys({ ...dependencies, ...peerDependencies }),
  logLevel: "warn",
  output: {
    dir: "dist",
    sourcemap: true,
    sourcemapExcludeSources: true,
    minifyInternalExports: false,
    comments: { jsdoc: false },
    chunkFileNames: "shared/[name].js",
    codeSplitting: {
      groups: Object.entries(shared).map(([name, rooms], index, { length }) => ({
        name,
        test: (id) => isIn(rooms, id),
        minShareCount: 2,
        priority: length - index,
      })),
    },
  },
});
