import { readdirSync, readFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** One `import` or `export … from`, static or dynamic. */
export interface Import {
  /** Importing file, relative to the repository, `/` as separator. */
  readonly from: string;
  /** Imported module; a relative specifier is resolved to a path relative to the repository. */
  readonly to: string;
  readonly typeOnly: boolean;
  /** `import()`: loaded when it is needed. */
  readonly dynamic: boolean;
  /** All of the statement. */
  readonly text: string;
}

const PATTERN =
  /(?:^|\n)\s*(?:import|export)\s+(type\s+)?[^"'`;]*?from\s*["']([^"']+)["']|(?:^|\n)\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/g;

/** All TypeScript sources under a top-level folder, builds left out. */
export function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && entry.name.endsWith(".ts") && !entry.name.endsWith(".d.ts"),
    )
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((file) => !/(^|\/)(dist|node_modules|\.[^/]+)\//.test(file))
    .toSorted();
}

export function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(PATTERN)].map((match) => {
    const specifier = (match[2] ?? match[3] ?? match[4])!;
    return {
      from: file,
      to: specifier.startsWith(".") ? posix.join(posix.dirname(file), specifier) : specifier,
      typeOnly: match[1] !== undefined,
      dynamic: match[4] !== undefined,
      text: match[0],
    };
  });
}
