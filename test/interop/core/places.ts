import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository and `test/interop`, located from the compiled file. */
export const root = fileURLToPath(new URL(".", import.meta.url)).replace(
  /test\/(?:interop|sdk)\/.*$/,
  "",
);
export const interop = join(root, "test/interop/");

/**
 * Returns the default folder for installed packages. It is outside the repository, so that a package that forgot to
 * declare a dependency does not find ours.
 */
export function cacheFolder(): string {
  const base = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  return join(base, "mcp-codegen-interop");
}
