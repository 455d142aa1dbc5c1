import { join, relative, sep } from "node:path";
import { defineConfig } from "rolldown";
import { packages, root } from "../.github/packages.mjs";
import { viewer } from "./testing/show/build-viewer.js";

/**
 * Rooms of the runtime that several subpaths share, lower ones first. Each becomes one file, and so do those that every
 * program needs: Node takes about a millisecond to load a file.
 */
const rooms = {
  // Servers load it when they can send requests.
  requests: [
    "ground/aborts",
    "api/paging",
    "engine/send/pending-request.ts",
    "engine/send/sent-requests.ts",
  ],
  // Ends apart, because bundlers keep what a file loads later, even if nothing in it is used.
  "client-end": [
    "wire/client-errors",
    "engine/connect/client.ts",
    "engine/define/results.ts",
    "rules/lenience.ts",
    "rules/result-defaults.ts",
    "session/client-handshake.ts",
    "stateless/client",
    "negotiation/dual-client.ts",
  ],
  "server-end": [
    "engine/connect/server.ts",
    "engine/send/requests-on-demand.ts",
    "session/questions.ts",
    "session/server-handshake.ts",
    "stateless/server-on-demand.ts",
    "negotiation/dual-server.ts",
  ],
  engine: [
    "ground",
    "wire",
    "api",
    "engine",
    "rules",
    "session/handshake.ts",
    "memory",
    "stateless/topics.ts",
    "stdio/stdio-channel.ts",
  ],
  stdio: ["stdio"],
  "http-client": ["http/client"],
  // Apart from the room, because bundlers keep code that is loaded later and imports the file that loads it.
  "http-handler": [
    "http/server/handler.ts",
    "http/server/create-health-handler.ts",
    "http/server/router.ts",
  ],
  "http-server": ["http/server"],
  "http-node": ["http/node"],
  "client-features": [
    "features/elicitation/elicitation.ts",
    "features/roots.ts",
    "features/sampling.ts",
    "features/checked-tools.ts",
  ],
  // With what clients and servers of several revisions share, because the two import each other.
  features: [
    "features",
    "json-schema/read",
    "facade/is-development.ts",
    "facade/list-events.ts",
    "facade/project/params-check.ts",
    "facade/extensions",
  ],
  "facade-server": ["facade/server"],
  "response-cache": ["facade/cache"],
  "facade-client": ["facade/client"],
};

/** Parts of those rooms that a program loads when it first needs them. */
const onDemand = [
  "engine/connect/batch.ts",
  "engine/connect/keep-alive.ts",
  "engine/once",
  "rules/stateless",
  "session/input-on-wire.ts",
  "stateless/server",
  "stateless/client/input-rounds.ts",
  "http/server/requests/authentication.ts",
  "http/server/requests/post.ts",
  "http/server/streams/event-stream.ts",
  "http/server/streams/stream-settings.ts",
  "features/completions/completions.ts",
  "features/cursors.ts",
  "features/elicitation/elicit.ts",
  "features/structured-results",
  "features/uri-template/expand.ts",
  "facade/client/answers.ts",
  "facade/client/client-extension.ts",
  "facade/client/output-checks.ts",
  "facade/client/subscription-watch.ts",
];

const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Writes characters such as … as escapes: engines keep a module with any of them in two bytes per character. */
const ascii = {
  name: "ascii",
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === "chunk") file.code = file.code.replace(/[^\0-\x7f]/g, escaped);
  },
};

/**
 * Builds the JavaScript of a package: a file for each subpath, beside the declarations that `tsc` writes, and one for
 * each group of folders that subpaths share. A package among its `devDependencies` is bundled, and named in NOTICE.md.
 */
function published({ folder: path, manifest, needs }, groups = {}, alias = {}) {
  const folder = join(root, path);
  const files = Object.values(manifest.exports).flatMap((conditions) => Object.values(conditions));
  const entries = new Set(files.flatMap((file) => /^\.\/dist\/(.*)\.js$/.exec(file)?.[1] ?? []));
  const fileOf = (id) => relative(folder, id).split(sep).join("/");
  const isIn = (folders, id) =>
    folders.some((one) => fileOf(id) === one || fileOf(id).startsWith(`${one}/`));
  const isEntry = (id) => entries.has(fileOf(id).replace(/\.ts$/, ""));
  return {
    cwd: folder,
    input: Object.fromEntries([...entries].map((entry) => [entry, `${entry}.ts`])),
    platform: "node",
    plugins: [ascii],
    resolve: { alias },
    // Otherwise, an object with all validators of a revision would be created with its method table.
    external: (id, from) =>
      needs.some((name) => id === name || id.startsWith(`${name}/`)) ||
      (id === "./validators.js" && from === join(folder, "index.ts")),
    logLevel: "warn",
    output: {
      dir: "dist",
      sourcemap: true,
      // The sources would double what a server installs.
      sourcemapExcludeSources: true,
      minifyInternalExports: false,
      comments: { jsdoc: false },
      // For a file named .js, Node searches the folders above it for a package.json: 6 % of the CPU of a server's start.
      chunkFileNames: "shared/[name].mjs",
      codeSplitting: {
        // Otherwise, a room would contain what it loads on demand.
        includeDependenciesRecursively: groups !== rooms,
        groups: Object.entries(groups).map(([name, folders], index, { length }) => ({
          name,
          test: (id) =>
            isIn(folders, id) && (groups !== rooms || !(isIn(onDemand, id) || isEntry(id))),
          minShareCount: 2,
          priority: length - index,
        })),
      },
    },
  };
}

/** Replaced modules: of zod 3, zod-to-json-schema needs the names of kinds only. */
const aliases = {
  "runtime/sdk": { "zod/v3": join(root, "runtime/sdk/server/schemas/zod-3-kinds.ts") },
};

/** Groups of folders, lower ones first. A package that is not named here is split as its subpaths demand. */
const groups = {
  runtime: rooms,
  "generated/universal": { revisions: ["on-demand.ts", "summaries.ts"] },
  "runtime/auth": { client: ["client"], server: ["server"] },
  "runtime/sdk": { shared: ["shared"], client: ["client"], server: ["server"] },
};

/** What both sides need of a revision. */
const revision = {
  revision: ["methods.ts", "payloads.ts", "shapes.ts"],
};
const isRevision = ({ folder, isGenerated }) => isGenerated && !folder.endsWith("/universal");
const groupsOf = (one) => (isRevision(one) ? revision : groups[one.folder]);

export default defineConfig([
  ...packages
    .filter(({ folder }) => folder !== ".")
    .map((one) => published(one, groupsOf(one), aliases[one.folder])),
  ...(packages.some(({ folder }) => folder === "runtime/testing") ? [viewer] : []),
]);
