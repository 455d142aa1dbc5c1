import type { MethodFamily } from "@mcp-codegen/runtime";
import { families } from "@mcp-codegen/universal/families";

/** Name of a list that servers offer: `tools`. */
export type ContractList = Extract<(typeof families)[number], { readonly from: "client" }>["name"];

type OfferedFamily = MethodFamily & { readonly name: ContractList };

const offered = (families as readonly MethodFamily[]).filter(
  (family): family is OfferedFamily => family.from === "client",
);

/**
 * Families of the lists that servers offer, in the order of files and pages: the last of the schema first, each
 * followed by its templates.
 */
const ordered = offered
  .filter(({ templatesOf }) => templatesOf === undefined)
  .toReversed()
  .flatMap((family) => [
    family,
    ...offered.filter(({ templatesOf }) => templatesOf === family.name),
  ]);

/** Names of the lists that servers offer. */
export const LISTS: readonly ContractList[] = ordered.map(({ name }) => name);

/** Families by the names of their lists. */
export const FAMILIES = Object.fromEntries(
  ordered.map((family) => [family.name, family]),
) as Readonly<Record<ContractList, OfferedFamily>>;

/** Lists of a contract, and the member that identifies their entries. */
export const CONTRACT_LISTS = Object.fromEntries(
  ordered.map(({ name, key }) => [name, key]),
) as Readonly<Record<ContractList, string>>;

/**
 * Kind of the entries of a list, for differences between the methods of `McpServer` and clients: a tool is called
 * with arguments of a schema, a prompt with strings, a resource is read by its URI, a template by its variables.
 * Entries of other families are only used by their key.
 */
export type EntryKind = "tool" | "prompt" | "resource" | "template" | "other";

export function entryKind(list: ContractList): EntryKind {
  const { templatesOf, by, use, reference } = FAMILIES[list];
  if (templatesOf !== undefined) return "template";
  if (by === "uri") return "resource";
  if (by !== "name" || use === undefined) return "other";
  return reference === undefined ? "tool" : "prompt";
}
