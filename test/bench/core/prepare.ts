import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const bench = join(root, "test/bench");

/** Installs the contestants where that was not done since their versions changed. */
export function installContestants(): void {
  const done = join(bench, "node_modules/.package-lock.json");
  if (changed(join(bench, "package-lock.json")) <= changed(done)) return;
  // A script would only look for esbuild's binary, which comes as a package.
  npm("ci", "--prefix", bench, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error");
}

/** Builds the packages and the generator where a source is newer than what was made of it. */
export function buildPackages(): void {
  const built = [
    ...readdirSync(join(root, "generated")).map((name) => `generated/${name}/dist/index.js`),
    "runtime/dist/index.js",
    "generator/dist/cli/bin.js",
  ];
  const oldest = Math.min(...built.map((file) => changed(join(root, file))));
  const newest = Math.max(...["generated", "generator", "runtime"].flatMap(sourcesIn).map(changed));
  if (newest <= oldest) return;
  npm("run", "-s", "build:packages");
  npm("run", "-s", "build:generator");
}

function sourcesIn(folder: string): string[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(".ts") && !/(^|[/\\])(dist|node_modules)[/\\]/.test(file))
    .map((file) => join(root, folder, file));
}

/** When that was, or long ago for a file that is not there. */
function changed(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function npm(...args: string[]): void {
  // What npm prints goes to stderr: stdout is for figures.
  const { status } = spawnSync("npm", args, { cwd: root, stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error(`npm ${args.join(" ")} failed`);
}
