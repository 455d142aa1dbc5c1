// Runs the end-to-end suite of the official SDK against the SDK itself and against @mcp-codegen/sdk, and compares both with ledger.json.
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const here = import.meta.dirname;
const root = resolve(here, "../../..");
const repository = process.env.MCP_SDK_REPOSITORY;
if (!repository) {
  console.error("MCP_SDK_REPOSITORY must be a clone of the SDK's repository");
  process.exit(2);
}
const KEEP = "--keep-control";
const only = process.argv.slice(2).filter((one) => one !== KEEP);
const work = join(root, "test/sdk/.suites");
const [control, ours] = [join(work, "control"), join(work, "ours")];
const SCOPE = "@modelcontextprotocol";
const json = (file) => JSON.parse(readFileSync(file, "utf8"));

/** Packages of the SDK with those of our subpaths that replace theirs. */
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

/** File that a package exports under a subpath. */
function entry(name, subpath) {
  const folder = join(control, "node_modules", SCOPE, name);
  const target = (value) =>
    typeof value === "string" ? value : target(value.node ?? value.import ?? value.default);
  return join(folder, target(json(join(folder, "package.json")).exports[subpath]));
}

/** Writes a module with the exports of all files; those of an earlier file take precedence. */
async function combine(file, files) {
  const known = new Set();
  let text = "";
  for (const from of files) {
    const names = Object.keys(await import(pathToFileURL(from))).filter(
      (name) => name !== "default" && !known.has(name),
    );
    names.forEach((name) => known.add(name));
    if (names.length > 0) text += `export { ${names.join(", ")} } from ${JSON.stringify(from)};\n`;
  }
  writeFileSync(file, text);
}

/** Writes a package whose subpaths combine the files. */
async function writePackage(folder, name, subpaths) {
  mkdirSync(folder, { recursive: true });
  const exports = {};
  for (const [index, [subpath, files]] of Object.entries(subpaths).entries()) {
    exports[subpath] = `./entry-${index}.mjs`;
    await combine(join(folder, `entry-${index}.mjs`), files);
  }
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name, version: "0.0.0", type: "module", exports }),
  );
}

async function prepare() {
  mkdirSync(control, { recursive: true });
  writeFileSync(
    join(control, "package.json"),
    JSON.stringify({ private: true, type: "module", dependencies: INSTALLED }),
  );
  if (!existsSync(join(control, "node_modules", "vitest")))
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], {
      cwd: control,
      stdio: "inherit",
    });
  const internal = join(control, "node_modules", SCOPE, "core-internal");
  mkdirSync(internal, { recursive: true });
  const bundled = join(internal, "source.mjs");
  execFileSync(join(control, "node_modules/.bin/esbuild"), [
    join(repository, "packages/core-internal/src/index.ts"),
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

  const { exports } = json(join(root, "runtime/sdk/package.json"));
  const own = (subpath) => join(root, "runtime/sdk", exports[subpath].default);
  const modules = join(ours, "node_modules");
  mkdirSync(join(modules, SCOPE), { recursive: true });
  for (const name of readdirSync(join(control, "node_modules"))) {
    if (name !== SCOPE && !name.startsWith(".vite") && !existsSync(join(modules, name)))
      symlinkSync(join(control, "node_modules", name), join(modules, name));
  }
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
  cpSync(join(repository, "test/e2e"), target, { recursive: true });
  writeFileSync(
    join(target, "tsconfig.json"),
    '{ "compilerOptions": { "target": "es2022", "module": "esnext", "moduleResolution": "bundler" } }',
  );
  // What passes over the wire is judged by the SDK's own schemas, whoever sends it.
  const sniffer = join(target, "helpers/wire-sniffer.ts");
  writeFileSync(
    sniffer,
    readFileSync(sniffer, "utf8").replaceAll("core-internal'", "core-internal/theirs'"),
  );
  writeFileSync(
    join(folder, "vitest.config.mjs"),
    `export default { test: { globals: true, include: ["test/e2e/scenarios/**/*.test.ts"], pool: "forks", maxWorkers: 1, server: { deps: { external: [/node_modules/, /\\/dist\\//] } } } };\n`,
  );
}

/** Runs the suite in a folder, or takes its last results; returns the state of each test by its name. */
function run(folder, isKept = false) {
  const output = join(folder, "results.json");
  if (isKept && existsSync(output)) return statesIn(folder, output);
  spawnSync("npx", ["vitest", "run", "--reporter=json", `--outputFile=${output}`, ...only], {
    cwd: folder,
    stdio: "ignore",
  });
  return statesIn(folder, output);
}

function statesIn(folder, output) {
  const states = new Map();
  const counts = new Map();
  for (const { name, assertionResults } of json(output).testResults) {
    for (const { fullName, status, failureMessages = [] } of assertionResults) {
      const title = `${relative(folder, name)} ${fullName}`;
      const count = (counts.get(title) ?? 0) + 1;
      counts.set(title, count);
      const key = count === 1 ? title : `${title} #${count}`;
      states.set(key, { status, text: failureMessages[0]?.split("\n")[0] ?? "" });
    }
  }
  return states;
}

/** Requirement that a test is about: `tools:call:progress`. */
const requirementOf = (key) => /^\S+ +(\S+)/.exec(key)[1];

await prepare();
const isChosen = (key) =>
  only.length === 0 || only.some((part) => key.split(" ", 1)[0].includes(part));
const [expected, actual] = [run(control, process.argv.includes(KEEP)), run(ours)];
const counted = [...expected]
  .filter(([key, { status }]) => status === "passed" && isChosen(key))
  .map(([key]) => key);
const failed = counted.filter((key) => actual.get(key)?.status !== "passed");
const known = new Set(json(join(here, "ledger.json")).flatMap(({ requirements }) => requirements));
const failing = new Set(failed.map(requirementOf));
const unexplained = failed.filter((key) => !known.has(requirementOf(key)));
for (const key of unexplained)
  console.log(`not in the ledger: ${key}\n  ${actual.get(key)?.text ?? "did not run"}`);
const stale = only.length > 0 ? [] : [...known].filter((id) => !failing.has(id));
for (const id of stale) console.log(`passes, so it needs no entry in the ledger: ${id}`);
/** Tests that the SDK's manifest expects to fail, because the SDK misses the requirement, which is met here. */
const better = failed.filter((key) => actual.get(key)?.text.includes("Expect test to fail"));
const share = ((100 * (counted.length - failed.length)) / counted.length).toFixed(1);
console.log(
  `${basename(here)}: ${counted.length - failed.length} of ${counted.length} tests that pass with the SDK pass here (${share} %)`,
);
console.log(
  `${better.length} of the others expect a failure of the SDK, which does not happen here`,
);
process.exitCode = unexplained.length + stale.length > 0 ? 1 : 0;
