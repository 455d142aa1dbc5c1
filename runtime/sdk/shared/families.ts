import { families } from "@mcp-codegen/universal/families";
import type { ResultsByMethod } from "@mcp-codegen/universal/common/types";

type Family = (typeof families)[number];

/** Family of methods around a list that servers offer: `tools/list`, `tools/call`. */
export type OfferedFamily = Extract<Family, { readonly from: "client" }>;

/** Family whose changes servers announce; changes of templates are announced with the items that they match. */
type AnnouncedFamily = Exclude<OfferedFamily, { readonly templatesOf: string }>;

/** Name of a list whose changes servers announce. */
export type ListName = AnnouncedFamily["name"];

/** Item of a list. */
export type ListedItem<List extends ListName> =
  ResultsByMethod[`${List}/list`] extends Readonly<Record<List, readonly (infer Item)[]>>
    ? Item
    : never;

/** Families whose lists servers offer. */
export const FAMILIES: readonly OfferedFamily[] = families.filter(
  (family): family is OfferedFamily => family.from === "client",
);

/** Names of the lists whose changes servers announce. */
export const LISTS: readonly ListName[] = FAMILIES.filter(
  (family): family is AnnouncedFamily => !("templatesOf" in family),
).map(({ name }) => name);
