import type { Fetch } from "@mcp-codegen/runtime/http/client";
import {
  allowInsecureRequests,
  customFetch,
  protectedResourceRequest,
  WWWAuthenticateChallengeError,
} from "oauth4webapi";
import type { Challenge } from "./challenge.js";
import { type DpopKey, dpopKey } from "./dpop-key.js";
import type { TokenRecord } from "./tokens.js";

/** Keys in use, with the nonces of servers; they go when their tokens go. */
const keys = /* @__PURE__ */ new WeakMap<TokenRecord, Promise<DpopKey>>();

/** True when the server wants the same token with a nonce (RFC 9449 §9). */
export function wantsNonce({ error }: Challenge, tokens: TokenRecord | undefined): boolean {
  return tokens?.key !== undefined && error === "use_dpop_nonce";
}

/** Sends a request to the MCP server, with a proof of the key where the token is bound to one. */
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
