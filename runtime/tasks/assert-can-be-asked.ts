import { missingCapability, missingForParams } from "../wire/index.js";
import { undeclared } from "../engine/index.js";
import type { Session } from "../api/index.js";

/**
 * Finds out at once what would otherwise come up only when somebody fetches the result.
 * @throws CapabilityError when the peer has not declared what a request needs
 */
export function assertCanBeAsked(
  { revision, peer }: Session,
  method: string,
  params: unknown,
): void {
  const row = revision.methods.get(method);
  if (row === undefined || row.from === "both") return;
  const declared = { client: peer.capabilities, server: peer.capabilities };
  const missing =
    missingCapability(row, row.from, declared) ?? missingForParams(row, params, row.from, declared);
  if (missing !== undefined) throw undeclared(method, missing);
}
