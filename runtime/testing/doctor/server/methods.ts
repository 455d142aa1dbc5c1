import type { MethodFamily, Revision } from "@mcp-codegen/runtime";

/** Version that no revision of the protocol has. */
export const NO_VERSION = "1999-12-31";
/** Version that is later than each revision of the protocol. */
export const LATER_VERSION = "2999-12-31";

/** Families whose lists a server has. */
export function familiesOf({ families }: Revision): readonly MethodFamily[] {
  return families.filter(({ from }) => from !== "server");
}

/** Kind of the items of a family: how a client uses one. */
export type ItemKind = "tool" | "prompt" | "resource" | "template" | "other";

/**
 * Kind of the items of a family: tools have schemas, prompts can be completed by their name, resources are read by
 * their URI.
 */
export function kindOf({ templatesOf, by, use, reference }: MethodFamily): ItemKind {
  if (templatesOf !== undefined) return "template";
  if (by === "uri") return "resource";
  if (by !== "name" || use === undefined) return "other";
  return reference === undefined ? "tool" : "prompt";
}

/** Family of a kind, if the revision has it and it can be used. */
export function familyOf(revision: Revision, kind: ItemKind): UsedFamily | undefined {
  const family = familiesOf(revision).find((one) => kindOf(one) === kind);
  return family?.use === undefined || family.by === undefined ? undefined : (family as UsedFamily);
}

/** Family with a method for one item. */
export type UsedFamily = MethodFamily & { readonly use: string; readonly by: string };
