import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Repository and `test/interop`, seen from the compiled file. */
export const root = fileURLToPath(new URL(".", import.meta.url)).replace(
  /test\/(?:interop|sdk)\/.*$/,
  "",
);
export const interop = join(root, "test/interop/");

/**
 * Default folder of installed packages. It is outside of the repository, so that a package that
 * forgot to declare a dependency does not find ours.
 */
export function cacheFolder(): string {
  const base = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  return join(base, "mcp-codegen-interop");
}
