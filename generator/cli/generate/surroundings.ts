import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import type { Diagnostics } from "../../diagnostics.js";
import { packageOf } from "../../emit/package-json.js";
import { MAX_BYTES } from "../../load/limits.js";
import { readText } from "../../load/read-bytes.js";
import type { Change } from "../../output/compare.js";
import type { OutputFolder } from "../../output/inventory.js";
import { RUNTIME } from "../../plan/runtime-imports.js";

/** Warns of a package that cannot be loaded as a part of the project that it lies in. */
export function warnOfCommonJs(
  { path }: OutputFolder,
  changes: readonly Change[],
  diagnostics: Diagnostics,
): void {
  const isPackage = changes.some(({ path: file, after }) => file === "package.json" && after);
  if (!isPackage || !isInCommonJs(path)) return;
  diagnostics.add({
    code: "MCG6010",
    severity: "warning",
    message: `${path} is an ES module package inside of a CommonJS project: compiled as a part of it, it cannot be loaded.`,
    hint: `Use --modules-only for modules of that project, or build the package by itself: tsc -p ${path}.`,
  });
}

/** Package that the generated code imports and that is not installed for one of the folders. */
export function missingPackage(
  folders: readonly OutputFolder[],
  runtime: string = RUNTIME,
): string | undefined {
  const needed = packageOf(runtime);
  return folders.every(({ path }) => isInstalled(runtime, path)) ? undefined : needed;
}

/** True when the project around a folder is CommonJS, and does not keep packages in its folders. */
function isInCommonJs(folder: string): boolean {
  const project = projectAround(dirname(resolve(folder)));
  if (project === undefined || existsSync(join(project, "pnpm-workspace.yaml"))) return false;
  try {
    const text = readText(join(project, "package.json"), MAX_BYTES);
    const { type, workspaces } = JSON.parse(text) as { type?: unknown; workspaces?: unknown };
    return type !== "module" && workspaces === undefined;
  } catch {
    return false;
  }
}

/** The nearest folder, going up, that has a package.json. */
function projectAround(folder: string): string | undefined {
  if (existsSync(join(folder, "package.json"))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : projectAround(above);
}

function isInstalled(specifier: string, folder: string): boolean {
  try {
    createRequire(join(resolve(folder), "index.js")).resolve(specifier);
    return true;
  } catch {
    return false;
  }
}
