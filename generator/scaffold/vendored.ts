import { type Clone, VENDOR } from "../bundled/clone.js";
import type { OutputFile } from "../plan/file-plan.js";
import type { PackageManager } from "./package-manager.js";

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/**
 * Replaces a new project's dependencies with archives in its own vendor folder, so that no registry is needed.
 *
 * @returns the project's files, and the packages to pack
 */
export function vendored(
  files: readonly OutputFile[],
  clone: Clone,
  manager: PackageManager,
): { readonly files: readonly OutputFile[]; readonly names: readonly string[] } {
  const own = files.find(({ path }) => path === "package.json")!;
  const manifest = JSON.parse(own.text) as Manifest;
  const { dependencies = {}, devDependencies = {} } = manifest;
  const direct = { ...dependencies, ...devDependencies };
  const archives = clone.archivesOf(Object.keys(direct));
  const places = new Map([...archives].map(([name, file]) => [name, `file:${VENDOR}/${file}`]));
  const local = (named: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(named).map(([name, range]) => [name, places.get(name) ?? range]),
    );
  const others = Object.fromEntries([...places].filter(([name]) => !(name in direct)));
  const complete = {
    ...manifest,
    dependencies: local(dependencies),
    devDependencies: local(devDependencies),
    ...overrides(others, manager),
  };
  const changed = { path: own.path, text: `${JSON.stringify(complete, null, 2)}\n` };
  const all = files.map((file) => (file === own ? changed : file));
  const workspace =
    manager === "pnpm" ? [{ path: "pnpm-workspace.yaml", text: overridesOfPnpm(others) }] : [];
  return { files: [...all, ...workspace], names: [...archives.keys()] };
}

/**
 * Returns a manifest's overrides for indirect dependencies. The result is empty for pnpm, which reads
 * `pnpm-workspace.yaml` instead.
 */
function overrides(others: Readonly<Record<string, string>>, manager: PackageManager): object {
  if (Object.keys(others).length === 0 || manager === "pnpm") return {};
  return manager === "yarn" ? { resolutions: others } : { overrides: others };
}

function overridesOfPnpm(others: Readonly<Record<string, string>>): string {
  const lines = Object.entries(others).map(([name, place]) => `  "${name}": "${place}"\n`);
  return lines.length === 0 ? "packages: []\n" : `packages: []\noverrides:\n${lines.join("")}`;
}
