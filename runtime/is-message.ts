import { type Check, report, within } from "./issues.js";
import { isObject, ownMembers } from "./validate.js";
import type { Trace } from "./validation.js";

// A whole message of JSON-RPC 2.0: a request when it has an `id` to check, else a notification.
export function isMessage(
  value: unknown,
  trace: Trace | undefined,
  method: string,
  params: Check,
  paramsOptional: boolean,
  id?: Check,
): boolean {
  if (!isObject(value, trace)) return false;
  const own = ownMembers(value, value["__proto__"]);
  const start = trace?.length;
  return (
    (own["method"] === method || report(trace, own, "method", JSON.stringify(method))) &&
    ((paramsOptional && own["params"] === undefined) ||
      params(own["params"]) ||
      within(trace, own, "params", params)) &&
    (own["jsonrpc"] === "2.0" || report(trace, own, "jsonrpc", '"2.0"')) &&
    (id === undefined || id(own["id"]) || within(trace, own, "id", id)) &&
    trace?.length === start
  );
}
