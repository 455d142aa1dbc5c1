import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ts } from "ts-morph";
import { projectText } from "./project-text.js";
import { PACKAGE } from "./specifier.js";

export interface Surface {
  readonly version: string;
  has(specifier: string): boolean;
  names(specifier: string): ReadonlySet<string> | undefined;
}

interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, string | { readonly types?: string }>>;
}

/**
 * Opens the type declarations of `@mcp-codegen/sdk`: the project's own copy or, failing that, the one installed next to
 * this command. They are parsed when names are first requested. Returns undefined if neither copy exists.
 */
export function openSurface(folder: string): Surface | undefined {
  const place = installed(folder) ?? installed(dirname(fileURLToPath(import.meta.url)));
  if (place === undefined) return undefined;
  const { version, exports } = JSON.parse(
    projectText(join(place, "package.json")).text,
  ) as Manifest;
  const declarations: ReadonlyMap<string, string> = new Map(
    Object.entries(exports).flatMap(([path, target]) =>
      typeof target === "object" && target.types
        ? [[`${PACKAGE}${path.slice(1)}`, join(place, target.types)] as const]
        : [],
    ),
  );
  let read: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  return {
    version,
    has: (specifier) => declarations.has(specifier),
    names(specifier) {
      const file = declarations.get(specifier);
      return file === undefined ? undefined : (read ??= namesOf(declarations)).get(file);
    },
  };
}

function installed(folder: string): string | undefined {
  const place = join(folder, "node_modules", PACKAGE);
  if (existsSync(join(place, "package.json"))) return place;
  const parent = dirname(folder);
  return parent === folder ? undefined : installed(parent);
}

function namesOf(declarations: ReadonlyMap<string, string>): Map<string, ReadonlySet<string>> {
  const files = [...new Set(declarations.values())].filter((file) => existsSync(file));
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    noLib: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  return new Map(
    files.map((file) => {
      const source = program.getSourceFile(file);
      const symbol = source && checker.getSymbolAtLocation(source);
      const names = symbol ? checker.getExportsOfModule(symbol).map(({ name }) => name) : [];
      return [file, new Set(names)];
    }),
  );
}
