import { execFileSync } from "node:child_process";
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
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's folder, located from the sources as well as from the build. */
export const root = fileURLToPath(new URL(".", import.meta.url)).replace(/test\/sdk\/.*$/, "");

/**
 * A folder that git ignores. It contains the programs' packages, the programs as they are, and the programs with our
 * imports.
 */
export const workspace = join(root, "test/sdk/.programs");

/** The clone of the official SDK's repository that the environment names. */
const named = process.env["MCP_SDK_REPOSITORY"];
export const repository = named && resolve(named);

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const manifestOf = (file: string) => JSON.parse(readFileSync(file, "utf8")) as Manifest;

/** Returns the relative paths of all files below a folder, with `/`, except those in `node_modules`. */
export function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((file) => !/(^|\/)node_modules\//.test(file))
    .toSorted();
}

/**
 * Returns the packages that the examples need in addition to those of this repository, in the versions that the clone
 * locks.
 */
function packages(clone: string): Record<string, string> {
  const lock = readFileSync(join(clone, "pnpm-lock.yaml"), "utf8");
  const locked = new Map(
    [...lock.matchAll(/^ {2}'?((?:@[^/]+\/)?[^@\s]+)@([\d.]+)'?:$/gm)].map(([, name, version]) => [
      name!,
      version!,
    ]),
  );
  const here = manifestOf(join(root, "package.json")).devDependencies!;
  const needed = new Map<string, string>();
  const examples = join(clone, "examples");
  for (const file of filesOf(examples).filter((one) => /(^|\/)package\.json$/.test(one))) {
    const { dependencies, devDependencies } = manifestOf(join(examples, file));
    for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies })) {
      if (name in here || /^@mcp-examples|eslint|prettier|^@?typescript/.test(name)) continue;
      if (name.startsWith("@modelcontextprotocol/")) {
        if (!/config$|helpers$/.test(name)) needed.set(name, "^2.0.0");
      } else needed.set(name, locked.get(name) ?? range);
    }
  }
  return Object.fromEntries([...needed].toSorted());
}

/** Installs the packages, once for each list. */
function install(clone: string): void {
  const manifest = `${JSON.stringify({ private: true, type: "module", dependencies: packages(clone) }, null, 2)}\n`;
  const file = join(workspace, "package.json");
  if (existsSync(file) && readFileSync(file, "utf8") === manifest) return;
  mkdirSync(workspace, { recursive: true });
  writeFileSync(`${file}`, manifest);
  try {
    // Peer dependencies come from this repository, because each package that both sides use must be the same.
    const quiet = ["--legacy-peer-deps", "--no-audit", "--no-fund", "--loglevel=error"];
    execFileSync("npm", ["install", ...quiet, "--ignore-scripts"], {
      cwd: workspace,
      stdio: "inherit",
    });
  } catch (error) {
    rmSync(file);
    throw error;
  }
}

/** Makes our package available to the programs. */
function link(): void {
  const place = join(workspace, "node_modules/@mcp-codegen/sdk");
  rmSync(place, { recursive: true, force: true });
  mkdirSync(join(place, ".."), { recursive: true });
  symlinkSync(join(root, "runtime/sdk"), place, "dir");
}

const compilerOptions = {
  target: "esnext",
  lib: ["esnext"],
  module: "esnext",
  moduleResolution: "bundler",
  strict: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  esModuleInterop: true,
  resolveJsonModule: true,
  isolatedModules: true,
  skipLibCheck: true,
  noEmit: true,
  types: ["node"],
  paths: {
    "@mcp-examples/shared": ["./examples/shared/src/index.ts"],
    "@mcp-examples/shared/auth": ["./examples/shared/src/indexAuth.ts"],
  },
};

/**
 * Copies the programs from the SDK's repository into a folder of the workspace, with the compiler options that the
 * repository uses.
 *
 * @param change - applied to the text of each program.
 * @param extra - further programs, by their path.
 */
export function copyPrograms(
  clone: string,
  side: "theirs" | "ours",
  extra: ReadonlyMap<string, string>,
  change: (text: string, file: string) => string,
): string {
  install(clone);
  link();
  const target = join(workspace, side);
  rmSync(target, { recursive: true, force: true });
  const examples = join(clone, "examples");
  for (const file of filesOf(examples)) {
    if (/\.test\.ts$|\.config\.mjs$|(^|\/)tsconfig\.json$|\.md$/.test(file)) continue;
    mkdirSync(join(target, "examples", file, ".."), { recursive: true });
    if (/\.[cm]?tsx?$/.test(file)) {
      const text = readFileSync(join(examples, file), "utf8");
      writeFileSync(join(target, "examples", file), change(text, file));
    } else cpSync(join(examples, file), join(target, "examples", file));
  }
  for (const [file, text] of extra) {
    mkdirSync(join(target, file, ".."), { recursive: true });
    writeFileSync(join(target, file), change(text, file));
  }
  writeFileSync(
    join(target, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["."] }, null, 2),
  );
  return target;
}
