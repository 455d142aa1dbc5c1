import { dirname, join } from "node:path";
import { ts } from "ts-morph";
import type { Diagnostic } from "../diagnostics.js";
import { unlessTooDeep } from "./project-text.js";
import { isSdkSpecifier } from "./specifier.js";

export function readConfig(file: string): { readonly compilerOptions?: unknown } | undefined {
  return unlessTooDeep(() => ts.readConfigFile(file, ts.sys.readFile).config as object | undefined);
}

/**
 * Warns about compiler configurations that would not resolve the imports of our package, and about those that still
 * redirect SDK imports.
 */
export function compilerRemarks(
  folder: string,
  configs: readonly string[],
  migrated: ReadonlySet<string>,
): Diagnostic[] {
  return configs.flatMap((path): Diagnostic[] => {
    const file = join(folder, path);
    const config = readConfig(file);
    const parsed =
      config &&
      unlessTooDeep(() =>
        ts.parseJsonConfigFileContent(config, ts.sys, dirname(file), undefined, file),
      );
    if (parsed === undefined) return [];
    if (!parsed.fileNames.some((name) => migrated.has(name))) return [];
    const redirected = Object.keys(parsed.options.paths ?? {}).filter(
      (key) => isSdkSpecifier(key) || key === "@modelcontextprotocol/*",
    );
    return [
      ...(findsSubpaths(parsed.options) ? [] : [{ ...HIDDEN_SUBPATHS, file }]),
      ...redirected.map((key) => ({
        ...REDIRECTED,
        message: `"paths" still redirects ${key}.`,
        file,
      })),
    ];
  });
}

const HIDDEN_SUBPATHS = {
  code: "MCG8006",
  severity: "warning",
  message: "This configuration does not find packages' subpaths.",
  hint: 'Set "module": "nodenext", or "moduleResolution": "bundler" where a bundler follows.',
} as const;

const REDIRECTED = {
  code: "MCG8009",
  severity: "warning",
  hint: "No migrated import uses this entry: remove it, or add one for @mcp-codegen/sdk.",
} as const;

/** Returns true if the compiler resolves modules through a package's `exports`. */
function findsSubpaths({ module, moduleResolution }: ts.CompilerOptions): boolean {
  const { Node10, Classic } = ts.ModuleResolutionKind;
  if (moduleResolution !== undefined) return ![Node10, Classic].includes(moduleResolution);
  return (
    module !== undefined &&
    (module === ts.ModuleKind.Preserve ||
      (module >= ts.ModuleKind.Node16 && module <= ts.ModuleKind.NodeNext))
  );
}
