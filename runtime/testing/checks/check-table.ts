import type { Revision } from "@mcp-codegen/runtime";
import { type Check, isSession } from "./check.js";
import { CLIENT_CHECKS } from "./client-checks.js";
import type { Severity } from "./finding.js";
import { HTTP_CHECKS } from "./http-checks.js";
import { MESSAGE_CHECKS } from "./message-checks.js";
import { SERVER_CHECKS } from "./server-checks.js";
import { revisions } from "@mcp-codegen/universal/revisions";

const table = { ...MESSAGE_CHECKS, ...SERVER_CHECKS, ...HTTP_CHECKS, ...CLIENT_CHECKS };

export type CheckId = keyof typeof table;

/** The checks by id. Ids are stable. Reports and the documentation page about checks are generated from this table. */
export const CHECKS: Readonly<Record<CheckId, Check>> = table;

/**
 * The groups of checks. Faults in the group `messages` are found by reading a conversation; for the other groups, the
 * doctor sends messages that provoke a fault.
 */
export const CHECK_GROUPS = {
  messages: Object.keys(MESSAGE_CHECKS) as readonly CheckId[],
  servers: Object.keys({ ...SERVER_CHECKS, ...HTTP_CHECKS }) as readonly CheckId[],
  clients: Object.keys(CLIENT_CHECKS) as readonly CheckId[],
};

/** Returns the check with the given id, or undefined if there is none. */
export function checkOf(id: string): Check | undefined {
  return Object.hasOwn(CHECKS, id) ? CHECKS[id as CheckId] : undefined;
}

/** Returns the severity that a finding has in a revision. */
export function severityOf(id: CheckId, revision: Revision): Severity {
  const { severity, demands } = CHECKS[id];
  return demands?.(revision) ? "error" : severity;
}

/** Returns the ids of the message checks that apply to a revision. */
export function messageChecksOf(revision: Revision): readonly CheckId[] {
  return CHECK_GROUPS.messages.filter((id) => CHECKS[id].applies?.(revision) ?? true);
}

/** Returns the ids of the revisions that have the requirement, newest first. */
export function revisionsOf(id: CheckId): readonly string[] {
  const { applies, page } = CHECKS[id];
  return revisions
    .filter((revision) => applies?.(revision) ?? true)
    .filter((revision) => page === undefined || pageOf(page, revision) !== undefined)
    .map((revision) => revision.id);
}

/** Returns the URL of the page that states the requirement, or undefined if the revision has no such page. */
export function requirementOf(id: CheckId, revision: Revision): string | undefined {
  const { page } = CHECKS[id];
  const path = page && pageOf(page, revision);
  return path && `https://modelcontextprotocol.io/specification/${revision.id}/${path}`;
}

function pageOf(page: NonNullable<Check["page"]>, revision: Revision): string | undefined {
  if (typeof page === "string") return page;
  return isSession(revision) ? page.session : page.stateless;
}
