/** The claims of an access token, under the names from RFC 9068 (JWT) and RFC 7662 (introspection). */
export interface TokenClaims {
  /** The authorization server's issuer identifier. */
  readonly iss?: string | undefined;
  /** The user, or the client if no user is involved. */
  readonly sub?: string | undefined;
  readonly client_id?: string | undefined;
  /** The resource servers that the token is intended for. */
  readonly aud?: string | readonly string[] | undefined;
  /** The expiry time, in seconds since 1970. */
  readonly exp?: number | undefined;
  /** The time before which the token is not valid, in seconds since 1970. */
  readonly nbf?: number | undefined;
  /** The granted scopes, separated by spaces. */
  readonly scope?: string | undefined;
  /** The granted scopes, under the name that some providers use, such as Entra and Okta. */
  readonly scp?: string | readonly string[] | undefined;
  /** The confirmation (RFC 7800): the key that the token is bound to. */
  readonly cnf?: Readonly<Record<string, unknown>> | undefined;
  readonly [claim: string]: unknown;
}

/** The resource server's settings that are passed to verifiers. */
export interface VerifierContext {
  /** The issuer identifiers of the trusted authorization servers. */
  readonly authorizationServers: readonly string[];
  /** The accepted audiences. A token must have at least one of them. */
  readonly audiences: readonly string[];
  /** The allowed clock skew between servers, in seconds. */
  readonly clockTolerance: number;
}

/**
 * Verifies that an access token is genuine. The audience, issuer, expiry, binding and scopes are checked afterwards,
 * regardless of the verifier.
 *
 * @returns the claims, or undefined for a different kind of token, which the next verifier may support
 * @throws InvalidTokenError if the token is not genuine; any other error is reported and answered with 503
 */
export type TokenVerifier = (
  token: string,
  context: VerifierContext,
) => TokenClaims | undefined | Promise<TokenClaims | undefined>;

/** Thrown for an invalid token. Its message is sent to the client, so it must not contain any part of the token. */
export class InvalidTokenError extends Error {
  override readonly name = "InvalidTokenError";
}

/**
 * Checks that a genuine token is meant for this server, comes from a trusted authorization server, and is currently
 * valid (MCP: authorization, token handling; RFC 9068, section 4).
 */
export function checkClaims(claims: TokenClaims, context: VerifierContext): void {
  assertTypes(claims);
  const { authorizationServers, audiences, clockTolerance } = context;
  const { iss, aud, exp, nbf } = claims;
  if (iss !== undefined && !authorizationServers.includes(iss)) {
    throw new InvalidTokenError("The token is from an authorization server that is not trusted");
  }
  if (![aud ?? []].flat().some((audience) => audiences.includes(audience))) {
    throw new InvalidTokenError("The token is for another server");
  }
  const now = Date.now() / 1000;
  if (exp !== undefined && !(exp + clockTolerance > now)) {
    throw new InvalidTokenError("The token has expired");
  }
  if (nbf !== undefined && !(nbf - clockTolerance <= now)) {
    throw new InvalidTokenError("The token is not valid yet");
  }
}

/** Rejects claims of the wrong type. Adding seconds to an expiry that is a string would produce a longer string. */
function assertTypes(claims: TokenClaims): void {
  for (const name of ["exp", "nbf"]) {
    const time = claims[name];
    if (time !== undefined && !Number.isFinite(time)) {
      throw new InvalidTokenError(`The claim ${name} of the token is not a number`);
    }
  }
  for (const name of ["iss", "sub", "client_id"]) {
    const text = claims[name];
    if (text !== undefined && typeof text !== "string") {
      throw new InvalidTokenError(`The claim ${name} of the token is not a string`);
    }
  }
}

/** Maps each scope to the scopes it implies: `{ "notes:admin": ["notes:write"] }`. */
export type ScopeHierarchy = Readonly<Record<string, readonly string[]>>;

export function grantedScopes(claims: TokenClaims, hierarchy: ScopeHierarchy): readonly string[] {
  const granted = new Set(namedScopes(claims));
  for (const scope of granted) {
    for (const included of Object.hasOwn(hierarchy, scope) ? hierarchy[scope]! : []) {
      granted.add(included);
    }
  }
  return [...granted];
}

function namedScopes({ scope, scp }: TokenClaims): readonly string[] {
  const named = [scope ?? [], scp ?? []].flat();
  return named
    .flatMap((one) => (typeof one === "string" ? one.split(" ") : []))
    .filter((one) => one !== "");
}
