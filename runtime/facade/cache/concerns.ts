import type { Method } from "../../wire/index.js";
import type { CacheEntry } from "./response-store.js";

/** The part of the server that a capability is of: `server.tools` of `server.tools.listChanged`. */
function partOf({ capability }: Method): string | undefined {
  return capability?.split(".", 2).join(".");
}

/**
 * True when a notification makes a result stale. A notification that names a resource concerns the
 * results of requests for it, for something that contains it, or for something in it; any other
 * concerns the lists of the same part of the server.
 * @param listed - the row of the request whose result it is
 */
export function isConcerned(
  { params }: CacheEntry,
  listed: Method | undefined,
  notification: Method,
  news: unknown,
): boolean {
  const part = partOf(notification);
  if (!listed || part === undefined || partOf(listed) !== part) return false;
  const { uri } = (news ?? {}) as { uri?: unknown };
  if (typeof uri !== "string") return listed.paginated;
  const asked = params["uri"];
  return typeof asked === "string" && (asked.startsWith(uri) || uri.startsWith(asked));
}
