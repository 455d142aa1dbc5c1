import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./pack.js";

/**
 * Specifiers of one of our packages and the source behind each; subpaths are identified by their
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
