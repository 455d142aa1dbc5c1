import { processRevocationResponse, WWWAuthenticateChallengeError } from "oauth4webapi";

/** Demand of a server that refuses a request (RFC 6750 §3, RFC 9728 §5.1, RFC 9449 §7). */
export interface Challenge {
  /** The header field as it came. */
  readonly text: string | undefined;
  readonly error: string | undefined;
  readonly scope: string | undefined;
  readonly resourceMetadata: string | undefined;
}

const SCHEMES = ["bearer", "dpop"];

/** Reads `WWW-Authenticate`; a field that cannot be read says nothing. */
export async function challengeIn({ headers }: Response): Promise<Challenge> {
  const text = headers.get("www-authenticate") ?? undefined;
  const parameters = text === undefined ? {} : await parametersIn(text);
  return {
    text,
    error: parameters["error"],
    scope: parameters["scope"],
    resourceMetadata: parameters["resource_metadata"],
  };
}

/** The parser of the library is reachable by a response that it refuses. */
async function parametersIn(text: string): Promise<Readonly<Record<string, string>>> {
  const headers = { "www-authenticate": text };
  try {
    await processRevocationResponse(new Response("", { status: 401, headers }));
  } catch (error) {
    if (!(error instanceof WWWAuthenticateChallengeError)) return {};
    const ours = error.cause.filter(({ scheme }) => SCHEMES.includes(scheme));
    return Object.assign({}, ...ours.map(({ parameters }) => parameters).toReversed());
  }
  return {};
}
