/** Claims of an access token, as RFC 9068 (JWT) and RFC 7662 (introspection) name them. */
export interface TokenClaims {
  /** Issuer identifier of the authorization server. */
  readonly iss?: string | undefined;
  /** User, or the client where no user is involved. */
  readonly sub?: string | undefined;
  readonly client_id?: string | undefined;
  /** Resource servers that the token is for. */
  readonly aud?: string | readonly string[] | undefined;
  /** Time of expiry, in seconds since 1970. */
  readonly exp?: number | undefined;
  /** Time before which it is not valid, in seconds since 1970. */
  readonly nbf?: number | undefined;
  /** Granted scopes, separated by spaces. */
  readonly scope?: string | undefined;
  /** Granted scopes where a provider has them under this name, as Entra and Okta do. */
  readonly scp?: string | readonly string[] | undefined;
  /** Key that the token is bound to. */
  readonly cnf?: Readonly<Record<string, unknown>> | undefined;
  readonly [claim: string]: unknown;
}

/** Settings of the resource server that a verifier may need. */
export interface VerifierContext {
  /** Issuer identifiers of the authorization servers that are trusted. */
  readonly authorizationServers: readonly string[];
  /** Audiences of which a token must have one. */
  readonly audiences: readonly string[];
  /** Seconds by which the clocks of two servers may differ. */
  readonly clockTolerance: number;
}

/**
 * Verifies access tokens. It proves that the token is genuine; audience, issuer, expiry, binding and scopes are checked
 * afterwards for every verifier.
 *
 * @returns the claims; undefined for a token that is of another kind, which the next verifier may know
 * @throws InvalidTokenError for a token that is not genuine; anything else that is thrown is answered 503, and reported
 */
export type TokenVerifier = (
  token: string,
  context: VerifierContext,
) => TokenClaims | undefined | Promise<TokenClaims | undefined>;

/** A token is not good. Its message goes to the client, so it holds nothing of the token. */
export class InvalidTokenError extends Error {
  override readonly name = "InvalidTokenError";
}
