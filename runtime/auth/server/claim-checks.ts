import { InvalidTokenError, type TokenClaims, type VerifierContext } from "./token.js";

/**
 * Makes sure that a genuine token is for this server, from an authorization server that it trusts, and of this time (MCP:
 * authorization, token handling; RFC 9068, section 4).
 *
 * @throws InvalidTokenError
 */
export function checkClaims(claims: TokenClaims, context: VerifierContext): void {
  const { authorizationServers, audiences, clockTolerance } = context;
  const { iss, aud, exp, nbf } = claims;
  if (iss !== undefined && !authorizationServers.includes(iss)) {
    throw new InvalidTokenError("The token is of an authorization server that is not trusted");
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
