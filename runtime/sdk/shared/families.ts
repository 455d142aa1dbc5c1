import { families } from "@mcp-codegen/universal/families";
import type { ResultsByMethod } from "@mcp-codegen/universal/common/types";

type Family = (typeof families)[number];

/** A family of methods for items that servers offer, such as `tools/list` and `tools/call`. */
export type OfferedFamily = Extract<Family, { readonly from: "client" }>;

/**
 * A family whose list changes are announced by servers. A change to templates is announced as a change to the items
 * that the templates match.
 */
type AnnouncedFamily = Exclude<OfferedFamily, { readonly templatesOf: string }>;

/** The name of a list whose changes servers announce. */
export type ListName = AnnouncedFamily["name"];

export type ListedItem<List extends ListName> =
  ResultsByMethod[`${List}/list`] extends Readonly<Record<List, readonly (infer Item)[]>>
    ? Item
    : never;

export const FAMILIES: readonly OfferedFamily[] = families.filter(
  (family): family is OfferedFamily => family.from === "client",
);

export const LISTS: readonly ListName[] = FAMILIES.filter(
  (family): family is AnnouncedFamily => !("templatesOf" in family),
).map(({ name }) => name);
