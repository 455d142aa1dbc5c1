import type { AuthorizationServer } from "oauth4webapi";
import { IssuerMismatchError, OAuthError } from "./errors.js";
import { quoted, redacted } from "./text.js";

/**
 * Reads the code in an authorization response. State and issuer are compared before anything else in it counts, errors
 * included (RFC 9207 §2.4).
 * @throws OAuthError when the response is that of another request or server, or an error
 */
export function readAuthorizationResponse(
  { searchParams }: URL,
  metadata: AuthorizationServer,
  state: string,
): string {
  for (const name of ["state", "iss", "code", "error"]) {
    if (searchParams.getAll(name).length > 1) throw wrong(`has "${name}" more than once`, "one");
  }
  if (searchParams.get("state") !== state) {
    throw wrong(`belongs to no request of this client`, `the "state" that was sent`);
  }
  const issuer = searchParams.get("iss");
  const isSent = metadata.authorization_response_iss_parameter_supported === true;
  if ((issuer === null && isSent) || (issuer !== null && issuer !== metadata.issuer)) {
    const what = issuer === null ? "does not name its issuer" : `comes from ${quoted(issuer)}`;
    const text = `The authorization response ${what}`;
    throw new IssuerMismatchError("authorization", text, metadata.issuer, issuer ?? undefined);
  }
  const error = searchParams.get("error");
  if (error !== null) {
    const description = redacted(searchParams.get("error_description") ?? error, [state]);
    const text = `The authorization server refused (${quoted(error)}): ${quoted(description)}`;
    throw new OAuthError("authorization", text, { error: error.slice(0, 100) });
  }
  const code = searchParams.get("code");
  if (code === null || code === "") throw wrong(`has no code`, "a code or an error");
  return code;
}

function wrong(what: string, expected: string): OAuthError {
  return new OAuthError("authorization", `The authorization response ${what}`, { expected });
}
