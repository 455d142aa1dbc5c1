// The end-to-end suite of version 2. Its tests import packages.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  checkOut,
  configure,
  foldersOf,
  install,
  json,
  linkPackages,
  own,
  SCOPE,
  writePackage,
} from "./workspace.mjs";

const folders = foldersOf("v2");
const { source, control, ours } = folders;

/** The SDK's packages, each with our subpaths that replace theirs. */
const REPLACED = {
  client: {
    ".": "./client",
    "./stdio": "./client/stdio",
    "./validators/ajv": "./client/validators/ajv",
    "./validators/cf-worker": "./client/validators/cf-worker",
  },
  server: {
    ".": "./server",
    "./stdio": "./server/stdio",
    "./validators/ajv": "./server/validators/ajv",
    "./validators/cf-worker": "./server/validators/cf-worker",
  },
  core: { ".": "./core" },
  node: { ".": "./node" },
  express: { ".": "./express" },
  hono: { ".": "./hono" },
  fastify: { ".": "./fastify" },
  "server-legacy": { ".": undefined, "./sse": "./server-legacy/sse" },
};

const INSTALLED = {
  [`${SCOPE}/client`]: "2.4.0",
  [`${SCOPE}/server`]: "2.4.0",
  [`${SCOPE}/core`]: "2.4.0",
  [`${SCOPE}/node`]: "2.1.2",
  [`${SCOPE}/express`]: "2.0.2",
  [`${SCOPE}/fastify`]: "2.0.1",
  [`${SCOPE}/hono`]: "2.0.2",
  [`${SCOPE}/server-legacy`]: "2.3.1",
  vitest: "^4.0.15",
  tsx: "^4.16.5",
  esbuild: "*",
  zod: "4.3.6",
  valibot: "^1.2.0",
  arktype: "^2.1.29",
  "@valibot/to-json-schema": "^1.5.0",
  express: "^5.2.1",
  fastify: "^5.2.0",
  hono: "^4.11.4",
  "@hono/node-server": "^1.19.9",
  cors: "^2.8.5",
  jose: "^6.1.3",
  ajv: "^8.17.1",
  "ajv-formats": "^3.0.1",
  "@cfworker/json-schema": "^4.1.1",
  "content-type": "^1.0.5",
  "json-schema-typed": "^8.0.2",
  "eventsource-parser": "^3.0.0",
};

/** Returns the file that a package exports under a subpath. */
function entry(name, subpath) {
  const folder = join(control, "node_modules", SCOPE, name);
  const target = (value) =>
    typeof value === "string" ? value : target(value.node ?? value.import ?? value.default);
  return join(folder, target(json(join(folder, "package.json")).exports[subpath]));
}

async function prepare(repository) {
  checkOut(repository, ["HEAD"], source);
  install(control, INSTALLED);
  const internal = join(control, "node_modules", SCOPE, "core-internal");
  mkdirSync(internal, { recursive: true });
  const bundled = join(internal, "source.mjs");
  execFileSync(join(control, "node_modules/.bin/esbuild"), [
    join(source, "packages/core-internal/src/index.ts"),
    "--bundle",
    "--format=esm",
    "--platform=node",
    "--packages=external",
    "--log-level=error",
    `--outfile=${bundled}`,
  ]);
  const theirs = ["client", "server", "core"].map((name) => entry(name, "."));
  const validators = {
    "./validators/ajv": [entry("server", "./validators/ajv")],
    "./validators/cfWorker": [entry("server", "./validators/cf-worker")],
  };
  await writePackage(internal, `${SCOPE}/core-internal`, {
    ".": [...theirs, bundled],
    "./theirs": [...theirs, bundled],
    ...validators,
  });

  const modules = join(ours, "node_modules");
  linkPackages(join(control, "node_modules"), modules);
  for (const [name, subpaths] of Object.entries(REPLACED)) {
    const files = Object.entries(subpaths).map(([subpath, to]) => [
      subpath,
      [...(to ? [own(to)] : []), entry(name, subpath)],
    ]);
    await writePackage(join(modules, SCOPE, name), `${SCOPE}/${name}`, Object.fromEntries(files));
  }
  const all = join(internal, "entry-0.mjs");
  await writePackage(join(modules, SCOPE, "core-internal"), `${SCOPE}/core-internal`, {
    ".": [own("./client"), own("./server"), own("./core"), all],
    "./theirs": [all],
    ...validators,
  });
  for (const folder of [control, ours]) prepareTests(folder);
}

function prepareTests(folder) {
  const target = join(folder, "test/e2e");
  rmSync(target, { recursive: true, force: true });
  cpSync(join(source, "test/e2e"), target, { recursive: true });
  writeFileSync(
    join(target, "tsconfig.json"),
    '{ "compilerOptions": { "target": "es2022", "module": "esnext", "moduleResolution": "bundler" } }',
  );
  // The SDK's own schemas judge everything on the wire, whichever side sends it.
  const sniffer = join(target, "helpers/wire-sniffer.ts");
  writeFileSync(
    sniffer,
    readFileSync(sniffer, "utf8").replaceAll("core-internal'", "core-internal/theirs'"),
  );
  configure(folder, { include: ["test/e2e/scenarios/**/*.test.ts"] });
}

export const version2 = { name: "version 2, end to end", ...folders, prepare };
