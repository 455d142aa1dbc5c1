import { lackingMembers } from "@mcp-codegen/universal/families";
import { revisions } from "@mcp-codegen/universal/revisions";
import type { ContractDefinition } from "./server-contract.js";
import { type ContractList, FAMILIES } from "./families.js";

/**
 * Reduces definitions to what all of the listed revisions can carry, with the generated projections and member
 * tables. Two readings of one server are equal in this form, whatever revisions they were made with.
 *
 * @param ids - revisions of both readings; unknown ones are ignored
 */
export function carried(
  list: ContractList,
  definitions: readonly ContractDefinition[],
  ids: readonly (string | undefined)[],
): readonly ContractDefinition[] {
  return [...new Set(ids)].reduce((all, id) => carriedBy(id, list, all), definitions);
}

function carriedBy(
  id: string | undefined,
  list: ContractList,
  definitions: readonly ContractDefinition[],
): readonly ContractDefinition[] {
  const revision = revisions.find((one) => one.id === id);
  if (revision === undefined) return definitions;
  const row = revision.methods.get(FAMILIES[list].list);
  // A revision without the method cannot list anything.
  if (row === undefined) return [];
  const lower = revision.projection?.down(row, "result");
  const result = { [list]: definitions };
  const lowered = (lower ? lower(result) : result) as typeof result;
  const lacking = new Set(lackingMembers[revision.id]?.[list]);
  if (lacking.size === 0) return lowered[list]!;
  return lowered[list]!.map((definition) =>
    Object.fromEntries(Object.entries(definition).filter(([name]) => !lacking.has(name))),
  );
}
