import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type * as Newest from "@mcp-codegen/2025-11-25";

/** A generated package. The newest one's types cover all of them, because they differ only in omissions. */
export type Package = typeof Newest;

const folder = fileURLToPath(new URL("../../../generated", import.meta.url));

/** The packages of the session revisions, oldest first. */
export const packages: readonly Package[] = (await Promise.all(ids().map(load))).filter(
  ({ revision }) => revision.traits.lifecycle === "initialize",
);

export const newestPackage: Package = packages.at(-1)!;

export async function load(id: string): Promise<Package> {
  return (await import(`@mcp-codegen/${id}`)) as Package;
}

function ids(): string[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}-\d{2}-\d{2}$/.test(name))
    .toSorted();
}
