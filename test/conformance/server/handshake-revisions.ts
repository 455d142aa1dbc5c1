import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Revision } from "@mcp-codegen/runtime";
import { root } from "../root.js";

/**
 * Generated revisions, the newest first.
 *
 * @param ids - which ones; all that open with a handshake when left out
 */
export async function handshakeRevisions(ids?: readonly string[]): Promise<Revision[]> {
  const folders = ids ?? readdirSync(join(root, "generated"));
  const modules = await Promise.all(folders.map(load));
  return modules
    .flatMap(({ revision }) => revision ?? [])
    .filter(({ traits }) => ids !== undefined || traits.lifecycle === "initialize")
    .toSorted((a, b) => (a.id < b.id ? 1 : -1));
}

function load(id: string): Promise<{ readonly revision?: Revision }> {
  return import(`@mcp-codegen/${id}`);
}
