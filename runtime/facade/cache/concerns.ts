import type { Method } from "../../wire/index.js";

/** The part of the server that a capability is of: `server.tools` of `server.tools.listChanged`. */
function partOf({ capability }: Method): string | undefined {
  return capability?.split(".", 2).join(".");
}

/**
 * True when a notification can make results of a request stale. A notification that names a resource concerns requests for
 * resources; any other concerns the lists of the same part of the server.
 */
export function isConcerned(
  request: Method,
  notification: Method,
  uri: string | undefined,
): boolean {
  const part = partOf(notification);
  if (part === undefined || partOf(request) !== part) return false;
  return uri !== undefined || request.paginated;
}
