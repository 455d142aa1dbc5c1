import { InvalidTokenError, type TokenClaims, type VerifierContext } from "./token.js";

/**
 * Checks that a genuine token is for this server, from a trusted authorization server, and currently valid (MCP:
 * authorization, token handling; RFC 9068, section 4).
 *
 * @throws InvalidTokenError if it is not, or if one of these claims has the wrong type
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

/** Rejects claims of another type: a string as an expiry, plus a number of seconds, is a longer string. */
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
