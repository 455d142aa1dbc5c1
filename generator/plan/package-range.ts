import type { RevisionPlan } from "./revision-plan.js";

/** The version prefix for a dependency that is installed from an archive in the package's own folder. */
export const VENDORED = "file:vendor/";

export function packageRange(
  name: string,
  { version, isVendored }: Pick<RevisionPlan, "version"> & { readonly isVendored?: boolean },
): string {
  if (!name.startsWith("@mcp-codegen/")) return "*";
  if (!isVendored) return `^${version}`;
  return `${VENDORED}${name.slice(1).replace("/", "-")}-${version}.tgz`;
}
