import { revision as v2025_11_25 } from "@mcp-codegen/2025-11-25";
import { revision as v2026_07_28 } from "@mcp-codegen/2026-07-28";

/** Returns the revision with this id, in the form that `connect` accepts. */
export function revisionOf(id: string) {
  return [v2025_11_25, v2026_07_28].filter((revision) => revision.id === id);
}
