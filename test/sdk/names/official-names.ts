import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../support/pack.js";

const modules = join(root, "node_modules/@modelcontextprotocol");

/** The subpaths of our package. */
export const subpaths: readonly string[] = Object.keys(
  (JSON.parse(readFileSync(join(root, "runtime/sdk/package.json"), "utf8")) as { exports: object })
    .exports,
)
  .map((subpath) => subpath.slice("./".length))
  .filter((subpath) => subpath !== "package.json");

/** Modules of version 1. */
export const modulesOfVersion1: readonly string[] = readdirSync(join(modules, "sdk/dist/esm"), {
  recursive: true,
  encoding: "utf8",
}).filter((path) => path.endsWith(".js") && !path.startsWith("examples/"));

/** The packages of version 2 that are not installed here. */
const ABSENT = ["express", "hono", "fastify", "server-legacy"];

/** Our subpaths whose counterpart is installed. */
export const comparable: readonly string[] = subpaths.filter(
  (subpath) => !ABSENT.includes(subpath.split("/")[0]!),
);

/** Returns the official SDK's module with the same path. */
export function official(subpath: string): string {
  return isOfVersion1(subpath)
    ? `@modelcontextprotocol/sdk/${subpath}`
    : `@modelcontextprotocol/${subpath}`;
}

/** Returns true for a path of version 1: it ends with `.js`, except for the validators' paths. */
function isOfVersion1(subpath: string): boolean {
  return subpath.endsWith(".js") || subpath.startsWith("validation/");
}

/** Returns the names that the official module declares, including types. */
export function declaredNames(subpath: string): string[] {
  const text = readFileSync(declarationsOf(subpath), "utf8");
  return [...new Set(isOfVersion1(subpath) ? declared(text) : listed(text))];
}

/** Returns the official module's declaration file. */
function declarationsOf(subpath: string): string {
  if (subpath.endsWith(".js")) return join(modules, "sdk/dist/esm", subpath.replace(/js$/, "d.ts"));
  const [name, ...rest] = isOfVersion1(subpath) ? ["sdk", subpath] : subpath.split("/");
  const manifest = JSON.parse(readFileSync(join(modules, name!, "package.json"), "utf8")) as {
    exports: Record<string, { types?: string; import?: { types: string } }>;
  };
  const { types, import: imported } = manifest.exports[["."].concat(rest).join("/")]!;
  return join(modules, name!, (types ?? imported?.types)!);
}

/** Returns the names in a list of exports, as they are known outside the module. */
function listed(text: string): string[] {
  const [, list = ""] = /export \{([^}]*)\};\s*(?:\/\/.*)?$/.exec(text.trimEnd()) ?? [];
  return list.split(",").map((name) =>
    name
      .trim()
      .replace(/^type /, "")
      .replace(/^.* as /, ""),
  );
}

function declared(text: string): string[] {
  const found = text.matchAll(
    /^export (?:declare )?(?:abstract )?(?:type|interface|class|const|function|enum) (\w+)/gm,
  );
  return [...found].map(([, name]) => name!);
}
