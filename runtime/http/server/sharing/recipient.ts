import { isObject } from "../../../wire/index.js";
import type { HttpSession } from "../http-session.js";

/**
 * Name of the instance that a message from a client is for, though it came to this one; `all` when any of the others may
 * be it, undefined when it is this one.
 */
export function recipientOf(
  message: unknown,
  session: HttpSession,
  here: string,
): string | undefined {
  if (!isObject(message)) return undefined;
  const { id, method, params } = message;
  if (method === undefined) return instanceIn(id, here);
  if (id !== undefined || typeof method !== "string" || !isObject(params)) return undefined;
  const role = session.revision?.methods.get(method)?.role;
  if (role === "progress") return instanceIn(params["progressToken"], here);
  if (role === "cancelled") return session.isWaiting(params["requestId"]) ? undefined : "all";
  return undefined;
}

/** The instance that has made the id of a request, if that is another one. */
function instanceIn(id: unknown, here: string): string | undefined {
  if (typeof id !== "string") return undefined;
  const [, instance] = /^([0-9a-z]{8})-[0-9a-z]{4}-\d+$/.exec(id) ?? [];
  return instance === here ? undefined : instance;
}
