/** Claims of an access token, with the names of RFC 9068 (JWT) and RFC 7662 (introspection). */
export interface TokenClaims {
  /** Issuer identifier of the authorization server. */
  readonly iss?: string | undefined;
  /** User, or the client where no user is involved. */
  readonly sub?: string | undefined;
  readonly client_id?: string | undefined;
  /** Resource servers that the token is intended for. */
  readonly aud?: string | readonly string[] | undefined;
  /** Time of expiry, in seconds since 1970. */
  readonly exp?: number | undefined;
  /** Time before which the token is not valid, in seconds since 1970. */
  readonly nbf?: number | undefined;
  /** Granted scopes, separated by spaces. */
  readonly scope?: string | undefined;
  /** Granted scopes under the name that some providers use, such as Entra and Okta. */
  readonly scp?: string | readonly string[] | undefined;
  /** Confirmation (RFC 7800): the key that the token is bound to. */
  readonly cnf?: Readonly<Record<string, unknown>> | undefined;
  readonly [claim: string]: unknown;
}

/** Settings of the resource server for verifiers. */
export interface VerifierContext {
  /** Issuer identifiers of the trusted authorization servers. */
  readonly authorizationServers: readonly string[];
  /** Accepted audiences; a token must have at least one of them. */
  readonly audiences: readonly string[];
  /** Allowed clock skew between servers, in seconds. */
  readonly clockTolerance: number;
}

/**
 * Verifies that an access token is genuine. Audience, issuer, expiry, binding and scopes are checked afterwards, for
 * every verifier.
 *
 * @returns the claims; undefined for another kind of token, which the next verifier may support
 * @throws InvalidTokenError if the token is not genuine; any other error is reported and answered with 503
 */
export type TokenVerifier = (
  token: string,
  context: VerifierContext,
) => TokenClaims | undefined | Promise<TokenClaims | undefined>;

/** Error for an invalid token. Its message is sent to the client, so it must not contain any part of the token. */
export class InvalidTokenError extends Error {
  override readonly name = "InvalidTokenError";
}

/**
 * Checks that a genuine token is for this server, from a trusted authorization server, and currently valid (MCP:
 * authorization, token handling; RFC 9068, section 4).
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

/** Rejects claims of the wrong type: adding seconds to an expiry that is a string yields a longer string. */
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

/** Implied scopes, by scope: `{ "notes:admin": ["notes:write"] }`. */
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
