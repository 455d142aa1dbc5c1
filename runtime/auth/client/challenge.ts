import { processRevocationResponse, WWWAuthenticateChallengeError } from "oauth4webapi";
import { redacted } from "./text.js";

/** Demand of a server that refuses a request (RFC 6750 §3, RFC 9728 §5.1, RFC 9449 §7). */
export interface Challenge {
  /** The header field, without the token of the request. */
  readonly text: string | undefined;
  readonly error: string | undefined;
  readonly scope: string | undefined;
  readonly resourceMetadata: string | undefined;
}

const SCHEMES = ["bearer", "dpop"];

/**
 * Reads `WWW-Authenticate`; a field that cannot be read counts as empty.
 * @param token - access token of the request, which the field may repeat
 */
export async function challengeIn({ headers }: Response, token?: string): Promise<Challenge> {
  const field = headers.get("www-authenticate") ?? undefined;
  const parameters = field === undefined ? {} : await parametersIn(field, token);
  return {
    text: field && redacted(field, [token]),
    error: parameters["error"],
    scope: parameters["scope"],
    resourceMetadata: parameters["resource_metadata"],
  };
}

/** The parser of the library is reachable by a response that it refuses. */
async function parametersIn(
  text: string,
  token: string | undefined,
): Promise<Readonly<Record<string, string>>> {
  const headers = { "www-authenticate": text };
  try {
    await processRevocationResponse(new Response("", { status: 401, headers }));
  } catch (error) {
    if (!(error instanceof WWWAuthenticateChallengeError)) return {};
    const ours = error.cause.filter(({ scheme }) => SCHEMES.includes(scheme));
    const found: Record<string, string> = Object.assign(
      {},
      ...ours.map(({ parameters }) => parameters).toReversed(),
    );
    return Object.fromEntries(
      Object.entries(found).map(([name, value]) => [name, redacted(value, [token])]),
    );
  }
  return {};
}
