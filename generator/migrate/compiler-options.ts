import { dirname, join } from "node:path";
import { ts } from "ts-morph";
import type { Diagnostic } from "../diagnostics.js";
import { unlessTooDeep } from "./project-text.js";

/** Content of a configuration of the compiler; undefined if there is none, or it cannot be read. */
export function readConfig(file: string): { readonly compilerOptions?: unknown } | undefined {
  return unlessTooDeep(() => ts.readConfigFile(file, ts.sys.readFile).config as object | undefined);
}

/** Warns of compiler configurations with which our package would not be found, if one of their files imports it. */
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
    const covers = parsed.fileNames.some((name) => migrated.has(name));
    if (!covers || findsSubpaths(parsed.options)) return [];
    return [
      {
        code: "MCG8006",
        severity: "warning",
        message: "This configuration does not find packages' subpaths.",
        hint: 'Set "module": "nodenext", or "moduleResolution": "bundler" where a bundler follows.',
        file,
      },
    ];
  });
}

/** True if modules are resolved through the member `exports` of a package. */
function findsSubpaths({ module, moduleResolution }: ts.CompilerOptions): boolean {
  const { Node10, Classic } = ts.ModuleResolutionKind;
  if (moduleResolution !== undefined) return ![Node10, Classic].includes(moduleResolution);
  return (
    module !== undefined &&
    (module === ts.ModuleKind.Preserve ||
      (module >= ts.ModuleKind.Node16 && module <= ts.ModuleKind.NodeNext))
  );
}
