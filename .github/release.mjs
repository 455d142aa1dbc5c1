// Releases all packages under one version. See "Releasing" in CONTRIBUTING.md for when and how to run it.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { pack } from "./pack.mjs";
import { packages, root } from "./packages.mjs";

const usage = `npm run release -- <version> [--commit | --publish]

  <version>  of all packages, such as 1.2.0 or 1.2.0-beta.1
  (neither)  a dry run: sets the version, builds, packs and checks, then restores the working tree
  --commit   the same, and commits and tags the result
  --publish  builds, packs and checks a commit that has this version, and publishes it with provenance`;

/** The reason why a release cannot continue. */
class Refusal extends Error {}

const folders = packages.map(({ folder }) => folder);

const read = (path) => readFileSync(join(root, path), "utf8");
const write = (path, text) => writeFileSync(join(root, path), text);
const manifestOf = (folder) => JSON.parse(read(join(folder, "package.json")));

function run(file, args, stdout = "pipe") {
  const stdio = ["ignore", stdout, "inherit"];
  return execFileSync(file, args, { cwd: root, encoding: "utf8", stdio, maxBuffer: 64 << 20 });
}

/** Runs npm through its own script file, because on Windows `npm` is a script that a program cannot start. */
function npm(args, stdout) {
  const file = process.env.npm_execpath;
  const all = [...args, "--loglevel=error"];
  return file ? run(process.execPath, [file, ...all], stdout) : run("npm", all, stdout);
}

function command() {
  const options = { commit: { type: "boolean" }, publish: { type: "boolean" } };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [version, ...more] = positionals;
  if (version === undefined || more.length > 0 || (values.commit && values.publish)) {
    throw new Refusal(usage);
  }
  if (!/^\d+\.\d+\.\d+(-[0-9a-z]+(\.[0-9a-z]+)*)?$/.test(version)) {
    throw new Refusal(`Not a version: ${version}. It looks like 1.2.0 or 1.2.0-beta.1.`);
  }
  return { version, ...values };
}

function refuseDirtyTree() {
  const changes = run("git", ["status", "--porcelain"]).trim();
  if (changes !== "") throw new Refusal(`The working tree has changes:\n${changes}`);
}

const isInChangelog = (version) =>
  read("CHANGELOG.md")
    .split("\n")
    .some((line) => line === `## ${version}` || line.startsWith(`## ${version} `));

function refuseKnownVersion(version) {
  if (isInChangelog(version)) throw new Refusal(`CHANGELOG.md has ${version} already.`);
  const tag = `v${version}`;
  if (run("git", ["tag", "--list", tag]).trim() !== "") throw new Refusal(`Tag ${tag} exists.`);
  const [, unreleased = ""] =
    /^## Unreleased$(.*?)(?=^## |(?![^]))/ms.exec(read("CHANGELOG.md")) ?? [];
  if (unreleased.trim() === "") {
    throw new Refusal('CHANGELOG.md has nothing under "## Unreleased".');
  }
}

/**
 * Sets the version of the handwritten packages. The generator gives its own version to the packages that it generates.
 */
function setVersion(version) {
  for (const { folder } of packages.filter(({ isGenerated }) => !isGenerated)) {
    const path = join(folder, "package.json");
    const own = read(path).replace(/^( {2}"version": ")[^"]+/m, `$1${version}`);
    write(path, own.replace(/("@mcp-codegen\/[\w-]+": "\^)[^"]+/g, `$1${version}`));
  }
  const today = new Date().toISOString().slice(0, 10);
  const heading = `## Unreleased\n\n## ${version} (${today})`;
  write(
    "CHANGELOG.md",
    read("CHANGELOG.md").replace(/^## Unreleased$/m, () => heading),
  );
  npm(["run", "-s", "build:generator"]);
  npm(["run", "-s", "generate"]);
  const lockOnly = ["install", "--package-lock-only", "--ignore-scripts", "--prefer-offline"];
  npm([...lockOnly, "--no-audit", "--no-fund"]);
}

function refuseOtherVersion(version) {
  for (const folder of folders) {
    const { name, version: own } = manifestOf(folder);
    if (own !== version) {
      throw new Refusal(
        `${name} has version ${own}: run \`npm run release -- ${version} --commit\`.`,
      );
    }
  }
  if (!isInChangelog(version)) throw new Refusal(`CHANGELOG.md does not have ${version}.`);
}

/** Matches files that a package should not contain. Project templates are exempt, because they have tests. */
const strange = /(^|\/)(tests?|node_modules)\/|\.test\.|\.tsbuildinfo$|^(\.|generated\/|runtime\/)/;

/** Returns the faults of a packed package, one per line. */
async function faultsOf({ folder, tarball, files }, version) {
  const manifest = manifestOf(folder);
  const missing = ["LICENSE", "README.md", "package.json"].filter((file) => !files.includes(file));
  const siblings = Object.entries(manifest.dependencies ?? {}).filter(([name]) =>
    name.startsWith("@mcp-codegen/"),
  );
  const archive = new Uint8Array(readFileSync(tarball)).buffer;
  const { messages } = await publint({ strict: true, pack: { tarball: archive } });
  return [
    ...(manifest.version === version ? [] : [`has version ${manifest.version}`]),
    ...missing.map((file) => `has no ${file}`),
    ...files
      .filter((file) => !file.startsWith("templates/") && strange.test(file))
      .map((file) => `contains ${file}`),
    ...siblings
      .filter(([, range]) => range !== `^${version}`)
      .map(([name, range]) => `depends on ${name} ${range}`),
    ...messages
      // Imports within a package have no conditions: only the `browser` map replaces one of its files.
      .filter(({ code }) => code !== "USE_EXPORTS_OR_IMPORTS_BROWSER")
      .map((message) => formatMessage(message, manifest)),
    ...wrongTypes(tarball),
  ].map((fault) => `${manifest.name} ${fault}`);
}

function wrongTypes(tarball) {
  const attw = join(root, "node_modules/@arethetypeswrong/cli/dist/index.js");
  const args = [attw, tarball, "--profile", "esm-only", "--format", "ascii", "--no-emoji"];
  try {
    run(process.execPath, args);
    return [];
  } catch (error) {
    return [`has wrong types:\n${error.stdout}`];
  }
}

/** Returns the URL of the repository, which provenance requires in the manifests; undefined outside the workflow. */
function repository() {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;
  return name && `${server}/${name}`;
}

/** Builds, packs and checks all packages. */
async function packAll(version, destination) {
  npm(["run", "-s", "build:packages"]);
  const packed = await pack(packages, destination, repository());
  const faults = [];
  for (const one of packed) faults.push(...(await faultsOf(one, version)));
  if (faults.length > 0) throw new Refusal(faults.join("\n"));
  for (const { folder, files } of packed) {
    console.log(`${manifestOf(folder).name}@${version}: ${files.length} files, checked`);
  }
  return packed;
}

function publishAll(packed, version) {
  const tag = version.includes("-") ? "next" : "latest";
  const args = ["--provenance", "--access", "public", "--tag", tag];
  for (const { folder, tarball } of packed) {
    const id = `${manifestOf(folder).name}@${version}`;
    if (isPublished(id)) console.log(`${id} is published already`);
    else npm(["publish", tarball, ...args], "inherit");
  }
}

/** Returns true if an earlier, interrupted run has already published a package. */
function isPublished(id) {
  try {
    return npm(["view", id, "version"]).trim() !== "";
  } catch {
    return false;
  }
}

async function release({ version, commit, publish }, destination) {
  refuseDirtyTree();
  if (publish) {
    refuseOtherVersion(version);
    if (repository() === undefined) {
      throw new Refusal("--publish runs in the workflow `release`, which gives provenance.");
    }
    return publishAll(await packAll(version, destination), version);
  }
  refuseKnownVersion(version);
  let isKept = false;
  try {
    setVersion(version);
    await packAll(version, destination);
    if (commit) {
      run("git", ["commit", "--quiet", "--all", "--message", `Release ${version}`]);
      run("git", ["tag", `v${version}`]);
      isKept = true;
      console.log(`Committed and tagged. Publish with: git push --atomic origin HEAD v${version}`);
    } else {
      console.log("Dry run: nothing was committed or published.");
    }
  } finally {
    if (!isKept) run("git", ["restore", "--staged", "--worktree", "."]);
  }
}

const destination = mkdtempSync(join(tmpdir(), "mcp-codegen-release-"));
try {
  await release(command(), destination);
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(destination, { recursive: true, force: true });
}
