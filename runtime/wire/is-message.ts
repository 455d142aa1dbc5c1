import type { Check, Members } from "./issues.js";
import { maybe, ownMembers } from "./members.js";
import { isObject, isPlain } from "./validate.js";
import type { Trace } from "./validation.js";

// Whether a plain object says that it is a message of JSON-RPC 2.0.
export function isEnvelope(value: unknown): value is Members {
  return isObject(value) && isPlain(value["__proto__"]) && value["jsonrpc"] === "2.0";
}

// Goes through the members of a message: of a request when it has an `id` to check, else of a notification.
export function messageMembers(
  trace: Trace | undefined,
  value: unknown,
  method: string,
  paramsOptional: boolean,
  params: Check,
  id?: Check,
): boolean {
  const mark = paramsOptional ? [maybe] : [];
  const ofRequest = id ? ["id", id] : [];
  const list = () => ["method", method, ...mark, "params", params, "jsonrpc", "2.0", ...ofRequest];
  return ownMembers(trace, value, list);
}
