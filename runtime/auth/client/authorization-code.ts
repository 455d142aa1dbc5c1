import {
  type AuthorizationServer,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomState,
} from "oauth4webapi";
import type { Authorize, CodeRecord, Flow, TokenResponse } from "./authorize.js";
import {
  IssuerMismatchError,
  OAuthError,
  RedirectPendingError,
  quoted,
  redacted,
} from "./errors.js";

/** A single visit by the user's browser to the authorization server, from the redirect to the return. */
export interface Visit {
  /** The redirect URI: `https:`, `http:` on this machine, or a custom scheme. */
  readonly redirectUri: string;
  /** True if the user may return to another process or page; the store then keeps the data that `finish` needs. */
  readonly isShared?: boolean;
  /** The value of the `state` parameter, which must be unguessable. Default: a random one. */
  readonly state?: string | undefined;
  /**
   * Redirects the user to a URL.
   *
   * @param state - the value of the `state` parameter in the expected response
   * @returns the URL that the user returns to, or undefined if another program or page receives it and calls `finish`
   */
  go(url: URL, state: string, signal: AbortSignal): Promise<URL | undefined>;
  /** Releases the visit's resources. Always called exactly once. */
  close(): void | Promise<void>;
}

/** Opens a {@link Visit}. @param before - the last registration's redirect URI, to be reused if possible */
export type OpenVisit = (before: string | undefined) => Visit | Promise<Visit>;

/** Obtains tokens with the authorization code grant and PKCE (OAuth 2.1, section 4.1). */
export function authorizationCode(open: OpenVisit): Authorize {
  return {
    hasUser: true,
    tokens: async (flow) => {
      const visit = await open(flow.redirectUri);
      try {
        return await visitAndAsk(flow, visit);
      } finally {
        await visit.close();
      }
    },
  };
}

async function visitAndAsk(flow: Flow, visit: Visit): Promise<TokenResponse> {
  const { redirectUri } = visit;
  requirePkce(flow);
  const endpoint = await flow.check(flow.metadata.authorization_endpoint, "authorization endpoint");
  const grantTypes = ["authorization_code", "refresh_token"];
  const client = await flow.client({ grantTypes, redirectUri });
  const state = visit.state ?? generateRandomState();
  const verifier = generateRandomCodeVerifier();
  const record: CodeRecord = { state, verifier, redirectUri, client };
  const url = await authorizationUrl(endpoint, flow, record);
  if (visit.isShared) await flow.suspend(state, record);
  flow.signal.throwIfAborted();
  const back = await visit.go(url, state, flow.signal);
  flow.signal.throwIfAborted();
  if (back === undefined) throw new RedirectPendingError();
  if (visit.isShared) await flow.suspend(state, undefined);
  return redeem(flow, record, back);
}

export function redeem(flow: Flow, record: CodeRecord, back: URL): Promise<TokenResponse> {
  const code = readAuthorizationResponse(back, flow.metadata, record.state);
  return flow.token(record.client, "authorization_code", {
    ...flow.parameters,
    code,
    code_verifier: record.verifier,
    redirect_uri: record.redirectUri,
  });
}

/**
 * Throws unless the authorization server declares support for PKCE with S256, as MCP requires, or the `interop.pkce`
 * option assumes it.
 */
function requirePkce({ metadata, isPkceAssumed }: Flow): void {
  const methods = metadata.code_challenge_methods_supported;
  if (isPkceAssumed || (Array.isArray(methods) && methods.includes("S256"))) return;
  throw new OAuthError(
    "authorization",
    "The authorization server does not declare support for PKCE",
    {
      expected: `"S256" in code_challenge_methods_supported; to accept this server anyway, set the option "interop.pkce"`,
    },
  );
}

async function authorizationUrl(endpoint: URL, flow: Flow, record: CodeRecord): Promise<URL> {
  const url = new URL(endpoint);
  const parameters: Readonly<Record<string, string>> = {
    ...flow.parameters,
    response_type: "code",
    client_id: record.client.client_id,
    redirect_uri: record.redirectUri,
    state: record.state,
    code_challenge: await calculatePKCECodeChallenge(record.verifier),
    code_challenge_method: "S256",
    ...(flow.scopes.includes("offline_access") && { prompt: "consent" }),
    ...(flow.thumbprint !== undefined && { dpop_jkt: flow.thumbprint }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

/**
 * Returns the code from an authorization response. The state and issuer are validated before the error or the code is
 * used, because the response could have come from a different server (RFC 9207, section 2.4).
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
    const description = searchParams.get("error_description") ?? "";
    const reason = quoted(redacted(`${error} ${description}`, [state]));
    const text = `The user or the authorization server refused: ${reason}; log in again`;
    throw new OAuthError("authorization", text, { error: error.slice(0, 100) });
  }
  const code = searchParams.get("code");
  if (code === null || code === "") throw wrong(`has no code`, "a code or an error");
  return code;
}

function wrong(what: string, expected: string): OAuthError {
  return new OAuthError("authorization", `The authorization response ${what}`, { expected });
}

export interface RedirectOptions {
  /** This application's URL that the user returns to: `https:`, `http:` on this machine, or a custom scheme. */
  readonly redirectUri: string;
  /**
   * Redirects the user to a URL. Returns the URL that the user returned to, or undefined if another request or page
   * receives it and passes it to `finish`. In that case, the call that needed the token fails with a
   * `RedirectPendingError`.
   */
  readonly visit: (
    url: URL,
    signal: AbortSignal,
  ) => URL | string | undefined | void | Promise<URL | string | undefined | void>;
}

/**
 * Lets the application itself redirect the user to the authorization server.
 * @throws OAuthError if others could read the redirect URI
 */
export function redirect({ redirectUri, visit }: RedirectOptions): Authorize {
  checkRedirectUri(redirectUri);
  const go = async (url: URL, _state: string, signal: AbortSignal): Promise<URL | undefined> => {
    const back = await visit(url, signal);
    return back ? new URL(back) : undefined;
  };
  return authorizationCode(() => ({ redirectUri, isShared: true, go, close: () => {} }));
}

function checkRedirectUri(uri: string): void {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  const isOwnScheme = url !== undefined && /^[a-z][a-z0-9+-]*\.[a-z0-9+.-]*:$/.test(url.protocol);
  const isLocal =
    url?.protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (url?.hash === "" && (url.protocol === "https:" || isLocal || isOwnScheme)) return;
  throw new OAuthError("authorization", `The redirect URI is ${quoted(uri)}`, {
    expected: `https:, or http: on this machine, or a scheme of the application such as "com.example.app:"`,
  });
}
