import { isEnvelope } from "./is-message.js";
import type { Check } from "./issues.js";
import { maybe, ownMembers } from "./members.js";
import type { Trace } from "./validation.js";

// A whole response of JSON-RPC 2.0.
//
// @param name - of the member that says how it went: `result` or `error`
export function isResponse(
  value: unknown,
  trace: Trace | undefined,
  id: Check,
  idOptional: boolean,
  name: string,
  outcome: Check,
): boolean {
  if (isEnvelope(value)) {
    const hasId = (idOptional && value["id"] === undefined) || id(value["id"]);
    if (hasId && outcome(value[name])) return true;
    if (trace === undefined) return false;
  }
  const mark = idOptional ? [maybe] : [];
  return ownMembers(trace, value, () => ["jsonrpc", "2.0", ...mark, "id", id, name, outcome]);
}
