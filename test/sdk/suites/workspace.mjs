// The folders in which a suite of the official SDK runs: `control` with the SDK's packages, `ours` with those of this
// repository.
import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const root = resolve(import.meta.dirname, "../../..");
export const SCOPE = "@modelcontextprotocol";
export const json = (file) => JSON.parse(readFileSync(file, "utf8"));

export function foldersOf(name) {
  const work = join(root, "test/sdk/.suites", name);
  return { source: join(work, "source"), control: join(work, "control"), ours: join(work, "ours") };
}

/** Returns the file that this repository's package exports under a subpath, or undefined if there is none. */
export function own(subpath) {
  const { exports } = json(join(root, "runtime/sdk/package.json"));
  return exports[subpath] && join(root, "runtime/sdk", exports[subpath].default);
}

/**
 * Writes the files of the first revision that the SDK's repository has.
 *
 * @throws Error if it has none of the revisions
 */
export function checkOut(repository, revisions, folder) {
  const isKnown = (revision) =>
    spawnSync("git", ["-C", repository, "rev-parse", "--verify", "--quiet", `${revision}^{commit}`])
      .status === 0;
  const revision = revisions.find(isKnown);
  if (revision === undefined) throw new Error(`${repository} has no ${revisions.join(" or ")}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync("git", ["-C", repository, "archive", revision], {
    maxBuffer: 2 ** 28,
  });
  execFileSync("tar", ["x", "-C", folder], { input: archive });
}

/** Installs packages in a folder, unless they are already there. */
export function install(folder, dependencies) {
  mkdirSync(folder, { recursive: true });
  const manifest = { private: true, type: "module", dependencies };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  if (existsSync(join(folder, "node_modules", "vitest"))) return;
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: folder,
    stdio: "inherit",
  });
}

/** Links the packages that another folder has installed, except those of the SDK. */
export function linkPackages(from, to) {
  mkdirSync(join(to, SCOPE), { recursive: true });
  for (const name of readdirSync(from)) {
    if (name !== SCOPE && !name.startsWith(".vite") && !existsSync(join(to, name)))
      symlinkSync(join(from, name), join(to, name));
  }
}

/** Writes a module with the exports of all files; an earlier file's exports take precedence. */
export async function combine(file, files) {
  const known = new Set();
  let text = "";
  for (const from of files) {
    const names = Object.keys(await import(pathToFileURL(from))).filter(
      (name) => name !== "default" && !known.has(name),
    );
    names.forEach((name) => known.add(name));
    if (names.length > 0) text += `export { ${names.join(", ")} } from ${JSON.stringify(from)};\n`;
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text === "" ? "export {};\n" : text);
}

/** Writes a package in which each subpath combines its files. */
export async function writePackage(folder, name, subpaths) {
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

/** Writes the vitest configuration. */
export function configure(folder, { include, exclude = [] }) {
  const test = { globals: true, include, exclude, pool: "forks", maxWorkers: 4 };
  const deps = "{ external: [/node_modules/, /\\/dist\\//] }";
  const text = JSON.stringify(test).slice(0, -1);
  writeFileSync(
    join(folder, "vitest.config.mjs"),
    `export default { test: ${text}, server: { deps: ${deps} } } };\n`,
  );
}

/** Runs the suite in a folder or uses its last results, and returns the state of each test by name. */
export function run(folder, only, isKept) {
  const output = join(folder, "results.json");
  if (!isKept || !existsSync(output))
    spawnSync("npx", ["vitest", "run", "--reporter=json", `--outputFile=${output}`, ...only], {
      cwd: folder,
      stdio: "ignore",
    });
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
