import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packages } from "../../.github/packages.mjs";
import { root } from "./pack.js";

/**
 * Returns the specifiers of one of our packages, and the source behind each. Subpaths are identified by their
 * declarations.
 */
export function sourcesOf(folder: string): [specifier: string, file: string][] {
  const { name, exports } = JSON.parse(
    readFileSync(join(root, folder, "package.json"), "utf8"),
  ) as {
    name: string;
    exports: Record<string, { types?: string }>;
  };
  return Object.entries(exports).flatMap(([subpath, { types }]) => {
    const source = types?.replace("dist/", "").replace(/\.d\.ts$/, ".ts");
    return source ? [[`${name}${subpath.slice(1)}`, join(root, folder, source)]] : [];
  });
}

/** Every specifier in our packages, with the source behind it. */
export const aliases = packages
  .flatMap(({ folder }) => sourcesOf(folder))
  .map(([specifier, replacement]) => ({ find: new RegExp(`^${specifier}$`), replacement }));

/** Returns the source behind one of our modules, because a build that happens to be there may be stale. */
export const sourceOf = (id: string): string | undefined =>
  aliases.find(({ find }) => find.test(id))?.replacement;
