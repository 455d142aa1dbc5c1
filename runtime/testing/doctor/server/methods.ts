import type { MethodFamily, Revision, Role } from "@mcp-codegen/runtime";

/** True if requests of a revision stand for themselves. */
export function isStateless(revision: Revision): boolean {
  return revision.traits.lifecycle === "discover";
}

/** True if a revision has a message of that role. */
export function hasRole(revision: Revision, role: Role): boolean {
  return [...revision.methods.values()].some((row) => row.role === role);
}

/** Name of the method with a role. */
export function methodOf(revision: Revision, role: Role): string {
  const row = [...revision.methods.values()].find((one) => one.role === role);
  if (row === undefined) throw new TypeError(`${revision.id} has no method for ${role}`);
  return row.method;
}

/** Families whose lists a server has. */
export function familiesOf({ families }: Revision): readonly MethodFamily[] {
  return families.filter(({ from }) => from !== "server");
}

/** Family of a name, if the revision has it: `tools`. */
export function familyOf(revision: Revision, name: string): MethodFamily | undefined {
  return familiesOf(revision).find((family) => family.name === name);
}
