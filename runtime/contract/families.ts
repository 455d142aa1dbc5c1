import type { FamilyKind, MethodFamily } from "@mcp-codegen/runtime";
import { families } from "@mcp-codegen/universal/families";

/** The name of a list that servers offer, such as `tools`. */
export type ContractList = Extract<(typeof families)[number], { readonly from: "client" }>["name"];

type OfferedFamily = MethodFamily & { readonly name: ContractList };

const offered = (families as readonly MethodFamily[]).filter(
  (family): family is OfferedFamily => family.from === "client",
);

/**
 * The families of the lists that servers offer, in the order used for files and pages: the reverse of the schema's
 * order, with each family's templates directly after it.
 */
const ordered = offered
  .filter(({ templatesOf }) => templatesOf === undefined)
  .toReversed()
  .flatMap((family) => [
    family,
    ...offered.filter(({ templatesOf }) => templatesOf === family.name),
  ]);

export const LISTS: readonly ContractList[] = ordered.map(({ name }) => name);

export const FAMILIES = Object.fromEntries(
  ordered.map((family) => [family.name, family]),
) as Readonly<Record<ContractList, OfferedFamily>>;

/** Maps each list's name to the member that identifies its entries. */
export const CONTRACT_LISTS = Object.fromEntries(
  ordered.map(({ name, key }) => [name, key]),
) as Readonly<Record<ContractList, string>>;

export function entryKind(list: ContractList): FamilyKind {
  return FAMILIES[list].kind;
}
