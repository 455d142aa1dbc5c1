// Packs packages as users receive them. Tests, releases and the command line in a clone use this script; `npm run
// archives -- FOLDER` packs all packages.
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { dirname, join, posix, resolve } from "node:path";
import { promisify } from "node:util";
import { packages, root } from "./packages.mjs";

/** Manifest members that are useful only in this repository. */
const INTERNAL = ["scripts", "devDependencies", "workspaces"];

/** Runs npm through its own script file if that is known: on Windows, `npm` is a script that a program cannot start. */
async function npm(args, cwd) {
  const own = process.env.npm_execpath;
  const isNpm = own !== undefined && /npm-cli\.c?js$/.test(own);
  const [file, all] = isNpm ? [process.execPath, [own, ...args]] : ["npm", args];
  const shell = !isNpm && process.platform === "win32";
  const options = { cwd, shell, maxBuffer: 64 << 20 };
  const { stdout } = await promisify(execFile)(file, all, options);
  const printed = JSON.parse(stdout);
  return Array.isArray(printed) ? printed : Object.values(printed);
}

/** Returns the name of the archive that npm creates for a package. */
const archiveOf = ({ name, version }) =>
  `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;

/**
 * Rewrites the README's links into the repository for readers on the registry: they become absolute if the repository
 * is known, and plain text otherwise. Links to files in the package are kept.
 */
function withoutDeadLinks(text, folder, files, source) {
  return text.replaceAll(/\[([^\]]*)\]\((?!https?:|#)([^)]*)\)/g, (whole, label, to) => {
    const [path, anchor] = to.split("#");
    const target = path.startsWith("/") ? path.slice(1) : posix.normalize(posix.join(folder, path));
    if (files.includes(posix.relative(folder, target))) return whole;
    if (source === undefined) return label;
    return `[${label}](${source}/${target}${anchor === undefined ? "" : `#${anchor}`})`;
  });
}

/** Returns the manifest members that state where the repository is; empty if that is unknown. */
function placeOf(repository, folder) {
  if (repository === undefined) return {};
  return {
    homepage: `${repository}#readme`,
    bugs: `${repository}/issues`,
    repository: {
      type: "git",
      url: `git+${repository}.git`,
      ...(folder !== "." && { directory: folder }),
    },
  };
}

/** Copies a package's published files, with the manifest and the README that users receive. */
function stage({ folder }, files, target, repository) {
  for (const path of files) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    copyFileSync(join(root, folder, path), join(target, path));
  }
  const manifest = JSON.parse(readFileSync(join(target, "package.json"), "utf8"));
  for (const member of INTERNAL) delete manifest[member];
  const complete = { ...manifest, ...placeOf(repository, folder) };
  writeFileSync(join(target, "package.json"), `${JSON.stringify(complete, null, 2)}\n`);
  const readme = join(target, "README.md");
  const source = repository && `${repository}/blob/v${manifest.version}`;
  const text = withoutDeadLinks(readFileSync(readme, "utf8"), folder, files, source);
  writeFileSync(readme, text);
}

/**
 * Packs built packages.
 *
 * @param chosen - the entries of `packages` to pack
 * @param destination - an existing folder for the archives
 * @param repository - the repository's URL, if it is public
 */
export async function pack(chosen, destination, repository) {
  const work = mkdtempSync(join(tmpdir(), "mcp-codegen-pack-"));
  try {
    const quiet = ["--ignore-scripts", "--json", "--loglevel=error"];
    const folders = chosen.map(({ folder }) => join(root, folder));
    const listed = await npm(["pack", "--dry-run", ...quiet, ...folders], root);
    const byName = new Map(listed.map((one) => [one.name, one]));
    const stages = chosen.map((one, index) => {
      const target = join(work, String(index));
      const files = byName.get(one.name).files.map(({ path }) => path);
      mkdirSync(target);
      stage(one, files, target, repository);
      return target;
    });
    const packed = await npm(
      ["pack", ...quiet, "--pack-destination", destination, ...stages],
      work,
    );
    return chosen.map((one) => {
      // A release changes the version after the list of packages was read.
      const { files, unpackedSize, version } = packed.find(({ name }) => name === one.name);
      return {
        name: one.name,
        folder: one.folder,
        tarball: join(destination, archiveOf({ name: one.name, version })),
        files: files.map(({ path }) => path),
        unpackedSize,
      };
    });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Returns those of the named packages that belong to this repository, and the packages they depend on, each with its
 * archive's file name.
 */
export function withDependencies(names) {
  const found = new Map();
  const visit = (name) => {
    const one = packages.find((other) => other.name === name);
    if (one === undefined || found.has(name)) return;
    found.set(name, one);
    const { dependencies, peerDependencies, peerDependenciesMeta } = one.manifest;
    Object.keys(dependencies ?? {}).forEach(visit);
    for (const peer of Object.keys(peerDependencies ?? {}))
      if (!peerDependenciesMeta?.[peer]?.optional) visit(peer);
  };
  names.forEach(visit);
  return [...found.values()].map((one) => ({ ...one, archive: archiveOf(one.manifest) }));
}

if (process.argv[1] === import.meta.filename) {
  const [folder, ...names] = process.argv.slice(2);
  const unknown = names.find((name) => !packages.some((one) => one.name === name));
  if (folder === undefined) {
    console.error("Name the folder for the archives: npm run archives -- ../packed");
    process.exitCode = 2;
  } else if (unknown !== undefined) {
    const all = packages.map(({ name }) => name).join(", ");
    console.error(`There is no package ${unknown}. The packages are: ${all}.`);
    process.exitCode = 2;
  } else {
    const destination = resolve(process.env.INIT_CWD ?? ".", folder);
    mkdirSync(destination, { recursive: true });
    const { length } = await pack(
      names.length > 0 ? withDependencies(names) : packages,
      destination,
    );
    console.log(`${length} archives in ${folder}`);
  }
}
