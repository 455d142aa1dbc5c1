import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  introspectionRequest,
  processIntrospectionResponse,
} from "oauth4webapi";
import { authorizationServerMetadata, pausingFetch, sharedWork } from "./issuer-metadata.js";
import { InvalidTokenError, type TokenClaims, type TokenVerifier } from "./token.js";

export interface IntrospectionOptions {
  /** This resource server's credentials at the authorization server. */
  readonly client: { readonly id: string; readonly secret: string };
  /**
   * Controls where the credentials are sent: in the `Authorization` header (`basic`) or in the body (`post`). Default:
   * `basic`.
   */
  readonly method?: "basic" | "post" | undefined;
  /** The issuer that the requests are sent to. Default: the first authorization server. */
  readonly issuer?: string | undefined;
  /** The URL of the endpoint. Default: `introspection_endpoint` from the issuer's metadata. */
  readonly endpoint?: string | undefined;
  /**
   * The time for which a response is reused, in milliseconds, but no longer than until the token expires. During that
   * time, a revoked token is still accepted. Default: 0.
   */
  readonly cacheFor?: number | undefined;
}

/** The maximum number of cached responses, for accepted and rejected tokens separately. */
const MOST_CACHED = 10_000;

/** The maximum number of concurrent requests. Further tokens are answered with 503. */
const MOST_REQUESTS = 100;

/** The time for which a rejected token is rejected again without a request, in milliseconds. */
const REJECTED_FOR = 5000;

/** Status codes that mean the endpoint is down. Other codes might be provoked by an invented token. */
const UNAVAILABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** The request timeout, in milliseconds. */
const TIMEOUT = 5000;

/**
 * Verifies each access token with a request to the authorization server (RFC 7662). Concurrent uses of the same token
 * share one request, and a rejected token is rejected again for five seconds without a request.
 */
export function introspection(options: IntrospectionOptions): TokenVerifier {
  const { cacheFor = 0 } = options;
  const accepted = new Expiring<TokenClaims>();
  const rejected = new Expiring<InvalidTokenError>();
  const pending = new Map<string, Promise<TokenClaims>>();
  let request: ((token: string) => Promise<TokenClaims>) | undefined;

  const verified = async (token: string, key: string): Promise<TokenClaims> => {
    try {
      const claims = await request!(token);
      const expiry = typeof claims.exp === "number" ? claims.exp * 1000 : Infinity;
      if (cacheFor > 0) accepted.set(key, claims, Math.min(Date.now() + cacheFor, expiry));
      return claims;
    } catch (error) {
      if (error instanceof InvalidTokenError) rejected.set(key, error, Date.now() + REJECTED_FOR);
      throw error;
    } finally {
      pending.delete(key);
    }
  };

  return async (token, { authorizationServers }) => {
    request ??= requestTo(options, options.issuer ?? authorizationServers[0]!);
    const key = await digestOf(token);
    const claims = accepted.get(key);
    if (claims !== undefined) return claims;
    const rejection = rejected.get(key);
    if (rejection !== undefined) throw rejection;
    let answer = pending.get(key);
    if (answer === undefined) {
      if (pending.size >= MOST_REQUESTS) {
        throw new Error(`More than ${MOST_REQUESTS} tokens are waiting for introspection`);
      }
      answer = verified(token, key);
      pending.set(key, answer);
    }
    return answer;
  };
}

function requestTo(
  options: IntrospectionOptions,
  issuer: string,
): (token: string) => Promise<TokenClaims> {
  const { client, method = "basic" } = options;
  const authenticate = method === "post" ? ClientSecretPost : ClientSecretBasic;
  const about = { client_id: client.id };
  const endpoint = sharedWork(() => endpointOf(issuer, options.endpoint));
  const fetch = pausingFetch((status) => UNAVAILABLE.has(status));
  return async (token) => {
    const server = await endpoint();
    const response = await introspectionRequest(server, about, authenticate(client.secret), token, {
      signal: AbortSignal.timeout(TIMEOUT),
      [customFetch]: fetch,
      [allowInsecureRequests]: new URL(server.introspection_endpoint).protocol === "http:",
    });
    const answer = await processIntrospectionResponse(server, about, response);
    if (!answer.active) throw new InvalidTokenError("The token is not active");
    return { iss: issuer, ...answer } as unknown as TokenClaims;
  };
}

async function endpointOf(
  issuer: string,
  option: string | undefined,
): Promise<{ issuer: string; introspection_endpoint: string }> {
  const endpoint = option ?? (await authorizationServerMetadata(issuer))["introspection_endpoint"];
  if (typeof endpoint === "string") return { issuer, introspection_endpoint: endpoint };
  throw new Error(`${issuer} has no introspection_endpoint: pass introspection({ endpoint })`);
}

/** Returns the cache key for a response. It is a digest, so that the token itself is not stored. */
async function digestOf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  return String.fromCharCode(...new Uint8Array(digest));
}

class Expiring<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly until: number }>();

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    return entry && entry.until > Date.now() ? entry.value : undefined;
  }

  set(key: string, value: Value, until: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, until });
    if (this.#entries.size > MOST_CACHED) this.#entries.delete(this.#entries.keys().next().value!);
  }
}
