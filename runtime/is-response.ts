import { type Check, report, within } from "./issues.js";
import { isObject, ownMembers } from "./validate.js";
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
  if (!isObject(value, trace)) return false;
  const own = ownMembers(value, value["__proto__"]);
  const start = trace?.length;
  return (
    (own["jsonrpc"] === "2.0" || report(trace, own, "jsonrpc", '"2.0"')) &&
    ((idOptional && own["id"] === undefined) || id(own["id"]) || within(trace, own, "id", id)) &&
    (outcome(own[name]) || within(trace, own, name, outcome)) &&
    trace?.length === start
  );
}
