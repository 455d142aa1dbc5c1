import type { FamilyKind, MethodFamily, Revision } from "@mcp-codegen/runtime";

/** A protocol version that does not exist. */
export const NO_VERSION = "1999-12-31";
/** A version later than any protocol revision. */
export const LATER_VERSION = "2999-12-31";

/** Returns the families whose lists a server offers. */
export function familiesOf({ families }: Revision): readonly MethodFamily[] {
  return families.filter(({ from }) => from !== "server");
}

export function familyOf(revision: Revision, kind: FamilyKind): UsedFamily | undefined {
  const family = familiesOf(revision).find((one) => one.kind === kind);
  return family?.use === undefined || family.by === undefined ? undefined : (family as UsedFamily);
}

/** A family that has a method for using one item. */
export type UsedFamily = MethodFamily & { readonly use: string; readonly by: string };
