// The suites of version 1. Their tests import the sources, so they get modules at those paths.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import {
  checkOut,
  combine,
  configure,
  foldersOf,
  install,
  json,
  linkPackages,
  own,
  SCOPE,
} from "./workspace.mjs";

const folders = foldersOf("v1");
const { source, control, ours } = folders;

const INSTALLED = {
  vitest: "^4.0.15",
  tsx: "^4.16.5",
  zod: "4.3.6",
  supertest: "^7.0.0",
  "@cfworker/json-schema": "^4.1.1",
};

/**
 * The tests of everything that stays with the SDK: its authorization server and tasks, and the internals of its
 * classes.
 */
const NOT_OURS = [
  "test/conformance/**",
  "test/e2e/coverage.test.ts",
  "test/e2e/helpers/**",
  "test/examples/**",
  "test/experimental/**",
  "test/integration-tests/task*",
  "test/server/auth/**",
  "test/server/sseKeepAlive.test.ts",
  "test/shared/protocol*",
  "test/spec.types.test.ts",
  "test/types.capabilities.test.ts",
];

async function prepare(repository) {
  checkOut(repository, ["origin/v1.x", "v1.x"], source);
  const { version, dependencies } = json(join(source, "package.json"));
  install(control, { ...dependencies, [`${SCOPE}/sdk`]: version, ...INSTALLED });
  linkPackages(join(control, "node_modules"), join(ours, "node_modules"));
  for (const folder of [control, ours]) await prepareTests(folder);
}

async function prepareTests(folder) {
  for (const name of ["test", "src"]) rmSync(join(folder, name), { recursive: true, force: true });
  cpSync(join(source, "test"), join(folder, "test"), { recursive: true });
  for (const name of ["__fixtures__", "examples"])
    cpSync(join(source, "src", name), join(folder, "src", name), { recursive: true });
  const built = join(control, "node_modules", SCOPE, "sdk/dist/esm");
  for (const file of modulesIn(built)) {
    const theirs = join(built, file);
    const replaced = folder === ours ? own(`./${file}`) : undefined;
    await combine(join(folder, "src", file), [...(replaced ? [replaced] : []), theirs]);
    await combine(join(folder, "theirs", file), [theirs]);
  }
  // The SDK's own schemas judge everything on the wire, whichever side sends it.
  const sniffer = join(folder, "test/e2e/helpers/wire-sniffer.ts");
  writeFileSync(
    sniffer,
    readFileSync(sniffer, "utf8").replaceAll("/src/types.js", "/theirs/types.js"),
  );
  configure(folder, { include: ["test/**/*.test.ts"], exclude: NOT_OURS });
}

/** Returns the modules below a folder that do something, except examples. */
function modulesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && one.name.endsWith(".js"))
    .map((one) => relative(folder, join(one.parentPath, one.name)))
    .filter((file) => !file.startsWith("examples/") && file !== "cli.js");
}

export const version1 = { name: "version 1", ...folders, prepare };
