/** Statuses with which a server refuses a request before it does anything with it, when it says when to come back. */
const REFUSALS: readonly number[] = [429, 503];

/** Shortest wait, in milliseconds: no server must keep this client spinning. */
const SHORTEST = 100;

/**
 * Milliseconds after which a refused request can be sent again (RFC 9110, section 10.2.3); undefined when the server
 * does not say, or has not simply refused it.
 */
export function retryAfter({ status, headers }: Response): number | undefined {
  const value = REFUSALS.includes(status) ? headers.get("retry-after")?.trim() : undefined;
  if (!value) return undefined;
  const delay = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(delay) ? undefined : Math.max(delay, SHORTEST);
}
