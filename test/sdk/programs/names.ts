import { join } from "node:path";
import ts from "typescript-6";
import { migratedSpecifier } from "../../../generator/migrate/specifier.js";
import { filesOf, root, workspace } from "./workspace.js";

/** Module of the official SDK, and the names that its counterpart lacks. */
export interface ModuleGap {
  readonly specifier: string;
  /** Names of the module. */
  readonly names: number;
  /** Names missing from ours; undefined where we have no such module. */
  readonly missing: readonly string[] | undefined;
}

const options: ts.CompilerOptions = {
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  target: ts.ScriptTarget.ESNext,
  skipLibCheck: true,
  noEmit: true,
  types: [],
};

/** Modules of version 2 whose names people import. */
const VERSION_2 = [
  "client client/stdio client/validators/ajv client/validators/cf-worker",
  "server server/stdio server/validators/ajv server/validators/cf-worker",
  "core node express hono fastify server-legacy/sse",
].flatMap((line) => line.split(" ").map((path) => `@modelcontextprotocol/${path}`));

/** Modules of version 1, but for its examples. */
function version1(): string[] {
  const folder = join(root, "node_modules/@modelcontextprotocol/sdk/dist/esm");
  return filesOf(folder)
    .filter((file) => file.endsWith(".js") && !/^examples\/|\/examples\//.test(file))
    .map((file) => `@modelcontextprotocol/sdk/${file}`);
}

/** Modules of both versions, with what ours lack. */
export function moduleGaps(): ModuleGap[] {
  const specifiers = [...VERSION_2, ...version1()];
  const from = join(workspace, "names.ts");
  const places = specifiers.map((specifier) => {
    const ours = migratedSpecifier(specifier);
    return [specifier, fileOf(specifier, from), ours && fileOf(ours, from)] as const;
  });
  const files = places.flatMap(([, theirs, ours]) => [theirs, ours]).filter((file) => !!file);
  const program = ts.createProgram(files as string[], options);
  const checker = program.getTypeChecker();
  const namesIn = (file: string | undefined) => {
    const source = file === undefined ? undefined : program.getSourceFile(file);
    const symbol = source && checker.getSymbolAtLocation(source);
    return symbol && checker.getExportsOfModule(symbol);
  };
  const isType = (symbol: ts.Symbol) => (resolved(symbol).flags & ts.SymbolFlags.Value) === 0;
  const resolved = (symbol: ts.Symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return places.flatMap(([specifier, theirs, ours]) => {
    const names = namesIn(theirs);
    if (names === undefined || names.length === 0) return [];
    const have = namesIn(ours) ?? (ours === undefined ? undefined : []);
    const known = new Map(have?.map((symbol) => [symbol.name, symbol]));
    const missing = names
      .filter((symbol) => {
        const counterpart = known.get(symbol.name);
        return counterpart === undefined || (isType(counterpart) && !isType(symbol));
      })
      .map((symbol) => (isType(symbol) ? `type ${symbol.name}` : symbol.name));
    return [{ specifier, names: names.length, missing: ours && missing.toSorted() }];
  }) as ModuleGap[];
}

/** Declarations behind a specifier. */
function fileOf(specifier: string, from: string): string | undefined {
  const found = ts.resolveModuleName(specifier, from, options, ts.sys).resolvedModule;
  if (found !== undefined) return found.resolvedFileName;
  const [, name, path] = /^(@[^/]+\/[^/]+)\/?(.*)$/.exec(specifier)!;
  return name === "@modelcontextprotocol/sdk"
    ? join(root, "node_modules", name, "dist/esm", path!.replace(/\.js$/, ".d.ts"))
    : undefined;
}
