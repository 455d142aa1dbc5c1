import type { Fetch } from "@mcp-codegen/runtime/http/client";
import {
  WWWAuthenticateChallengeError,
  allowInsecureRequests,
  customFetch,
  processRevocationResponse,
  protectedResourceRequest,
} from "oauth4webapi";
import { type DpopKey, dpopKey } from "./token-endpoint.js";
import { redacted } from "./errors.js";
import type { TokenRecord } from "./tokens.js";

/** The DPoP keys in use, with the nonces received from servers. An entry lives as long as its tokens. */
const keys = /* @__PURE__ */ new WeakMap<TokenRecord, Promise<DpopKey>>();

/** Returns true if the same token must be sent again with a nonce (RFC 9449, section 9). */
export function needsNonce({ error }: Challenge, tokens: TokenRecord | undefined): boolean {
  return tokens?.key !== undefined && error === "use_dpop_nonce";
}

export async function sendWithToken(
  url: URL,
  init: RequestInit,
  send: Fetch,
  tokens: TokenRecord | undefined,
): Promise<Response> {
  if (tokens === undefined) return send(url, init);
  const headers = new Headers(init.headers);
  if (tokens.key === undefined) {
    headers.set("authorization", `Bearer ${tokens.accessToken}`);
    return send(url, { ...init, headers });
  }
  let key = keys.get(tokens);
  if (key === undefined) keys.set(tokens, (key = dpopKey(tokens.key)));
  const method = init.method ?? "GET";
  try {
    return await protectedResourceRequest(tokens.accessToken, method, url, headers, null, {
      DPoP: (await key).handle,
      [allowInsecureRequests]: true,
      [customFetch]: (_url, { headers: signed }) => send(url, { ...init, headers: signed }),
    });
  } catch (error) {
    if (error instanceof WWWAuthenticateChallengeError) return error.response;
    throw error;
  }
}

/**
 * The challenge from a server that rejects a request (RFC 6750, section 3; RFC 9728, section 5.1; RFC 9449, section 7).
 */
export interface Challenge {
  readonly text: string | undefined;
  readonly error: string | undefined;
  readonly scope: string | undefined;
  readonly resourceMetadata: string | undefined;
}

const SCHEMES = ["bearer", "dpop"];

/**
 * Reads the challenge in `WWW-Authenticate`.
 *
 * @param token - the request's access token, which is removed in case the server repeats it
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

/** Returns a challenge's parameters. The library's parser is accessible only through a response that it rejects. */
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
