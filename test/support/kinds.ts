import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/** Imports of files that start processes, open sockets, or build packages. */
const SLOW =
  /from "(?:node:(?:child_process|dgram|http|https|net|tls|worker_threads)|vite|rolldown|typescript[^"]*|[^"]*(?:support\/(?:bundle|pack|run)\.js|runtime\/http\/(?:node|express|fastify)|runtime\/stdio\/client|generator\/dist\/[^"]*))"/;

/** Imports of packages by their published names, not of their types alone. */
const PUBLISHED = /^(?:import|export) (?!type )[^"]*"@mcp-codegen\//m;

/** Imports of source files, not of their types alone; and replaced modules, which must not be built ones. */
const INTERNAL =
  /^(?:import|export) (?!type )[^"]*"(?:\.\.\/)+(?:generator|generated|runtime)\/(?!.*\bdist\/)|\bimport\(["`](?:\.\.\/)+(?:generator|generated|runtime)\/|\bvi\.(?:doMock|mock|resetModules)\(|from "mcp-codegen(?:\/[^"]*)?"/m;

/** Imports of files beside a file, not of their types alone. */
const IMPORT = /^(?:import|export) (?!type )[^"]*"(\.[^"]+)\.js"/gm;

/** Rooms that are pure functions: their tests leave nothing behind in a process. */
const PURE = ["generator", "json-schema", "output", "validators"];

/** Paths of test files, relative to the root of the repository, by kind. */
export interface Kinds {
  /** Tests without a process, socket or package build. */
  readonly fast: readonly string[];
  /** Tests of pure functions, which can share a process. */
  readonly pure: readonly string[];
  /** Tests of what packages publish, and of nothing inside of them. */
  readonly published: readonly string[];
}

/** Finds the kinds of all tests by the texts of their files, and of what they import from `test/`. */
export function testsByKind(root: string): Kinds {
  const folder = join(root, "test");
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".test.ts") && !/node_modules|^runtimes\//.test(path))
    .toSorted();
  const texts = new Map<string, string>();
  const textsOf = (file: string, found = new Set<string>()): Set<string> => {
    if (found.has(file)) return found;
    found.add(file);
    const text = texts.get(file) ?? readFileSync(file, "utf8");
    texts.set(file, text);
    for (const [, path = ""] of text.matchAll(IMPORT)) {
      const used = `${resolve(dirname(file), path)}.ts`;
      if (!relative(folder, used).startsWith("..") && existsSync(used)) textsOf(used, found);
    }
    return found;
  };
  const reached = new Map(all.map((path) => [path, [...textsOf(join(folder, path))]]));
  const where = (sign: RegExp): Set<string> =>
    new Set(all.filter((path) => reached.get(path)!.some((file) => sign.test(texts.get(file)!))));
  const [slow, published, internal] = [where(SLOW), where(PUBLISHED), where(INTERNAL)];
  const paths = (isChosen: (path: string) => boolean): string[] =>
    all.filter(isChosen).map((path) => `test/${path}`);
  return {
    fast: paths((path) => !slow.has(path)),
    pure: paths((path) => PURE.includes(path.split("/")[0]!)),
    published: paths((path) => published.has(path) && !internal.has(path)),
  };
}
