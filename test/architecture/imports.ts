import { readdirSync, readFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** An `import` or `export … from`, static or dynamic. */
export interface Import {
  /** The importing file, relative to the repository, with `/` as the separator. */
  readonly from: string;
  /** The imported module. A relative specifier is resolved to a path relative to the repository. */
  readonly to: string;
  readonly typeOnly: boolean;
  /** True for an `import()`, which is loaded only when it is needed. */
  readonly dynamic: boolean;
  /** The whole statement. */
  readonly text: string;
}

const PATTERN =
  /(?:^|\n)\s*(?:import|export)\s+(type\s+)?[^"'`;]*?from\s*["']([^"']+)["']|(?:^|\n)\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/g;

/** Returns all TypeScript sources under a top-level folder, except build output. */
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
