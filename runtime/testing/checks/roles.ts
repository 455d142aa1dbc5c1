import type { Method, Revision, Role } from "@mcp-codegen/runtime";
import { isSession, isStateless } from "./check.js";
import { revisions } from "@mcp-codegen/universal/revisions";

/** Revisions with sessions, newest first. */
export const sessionRevisions: readonly Revision[] = revisions.filter(isSession);
/** Stateless revisions, newest first. */
export const statelessRevisions: readonly Revision[] = revisions.filter(isStateless);

const roles = new Map(
  revisions.flatMap(({ methods }) =>
    [...methods.values()].map(({ method, role }) => [method, role] as const),
  ),
);

export function roleOf(method: unknown): Role | undefined {
  return roles.get(method as string);
}

export function rowOf({ methods }: Revision, role: Role): Method | undefined {
  return [...methods.values()].find((row) => row.role === role);
}

export function hasRole(revision: Revision, role: Role): boolean {
  return rowOf(revision, role) !== undefined;
}

export function methodOf(revision: Revision, role: Role): string {
  const row = rowOf(revision, role);
  if (row === undefined) throw new TypeError(`${revision.id} has no method for ${role}`);
  return row.method;
}
