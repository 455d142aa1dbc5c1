import type { MethodFamily, Revision } from "@mcp-codegen/runtime";

/** A protocol version that does not exist. */
export const NO_VERSION = "1999-12-31";
/** A version later than any protocol revision. */
export const LATER_VERSION = "2999-12-31";

/** Returns the families whose lists a server offers. */
export function familiesOf({ families }: Revision): readonly MethodFamily[] {
  return families.filter(({ from }) => from !== "server");
}

/** The kind of a family's items, which determines how a client uses them. */
export type ItemKind = "tool" | "prompt" | "resource" | "template" | "other";

/**
 * Returns the kind of a family's items. Tools and prompts are both used by name, but only prompts support completion.
 */
export function kindOf({ templatesOf, by, use, reference }: MethodFamily): ItemKind {
  if (templatesOf !== undefined) return "template";
  if (by === "uri") return "resource";
  if (by !== "name" || use === undefined) return "other";
  return reference === undefined ? "tool" : "prompt";
}

export function familyOf(revision: Revision, kind: ItemKind): UsedFamily | undefined {
  const family = familiesOf(revision).find((one) => kindOf(one) === kind);
  return family?.use === undefined || family.by === undefined ? undefined : (family as UsedFamily);
}

/** A family that has a method for using one item. */
export type UsedFamily = MethodFamily & { readonly use: string; readonly by: string };
