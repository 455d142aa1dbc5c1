import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  introspectionRequest,
  processIntrospectionResponse,
} from "oauth4webapi";
import { authorizationServerMetadata } from "./issuer-metadata.js";
import { InvalidTokenError, type TokenClaims, type TokenVerifier } from "./token.js";

export interface IntrospectionOptions {
  /** Credentials of this resource server at the authorization server. */
  readonly client: { readonly id: string; readonly secret: string };
  /** Place of the secret. Default: `basic`. */
  readonly method?: "basic" | "post" | undefined;
  /** Issuer that is asked. Default: the first authorization server. */
  readonly issuer?: string | undefined;
  /** URL of the endpoint. Default: `introspection_endpoint` of the issuer's metadata. */
  readonly endpoint?: string | undefined;
  /**
   * Milliseconds during which an answer is used again, at most until the token expires. A token that is revoked is
   * accepted for as long. Default: 0.
   */
  readonly cacheFor?: number | undefined;
}

/** Answers that are kept, at most. */
const MOST_CACHED = 10_000;

/** Milliseconds to wait for an answer. */
const TIMEOUT = 5000;

interface CachedAnswer {
  readonly claims: TokenClaims;
  readonly until: number;
}

/** Verifies access tokens by asking the authorization server about each (RFC 7662). */
export function introspection(options: IntrospectionOptions): TokenVerifier {
  const { client, method = "basic", cacheFor = 0 } = options;
  const authenticate = method === "post" ? ClientSecretPost : ClientSecretBasic;
  const cached = new Map<string, CachedAnswer>();
  let endpoint: Promise<{ issuer: string; introspection_endpoint: string }> | undefined;

  return async (token, { authorizationServers }) => {
    const issuer = options.issuer ?? authorizationServers[0]!;
    const key = cacheFor > 0 ? await digestOf(token) : "";
    const known = cached.get(key);
    if (known && known.until > Date.now()) return known.claims;
    endpoint ??= endpointOf(issuer, options.endpoint);
    const server = await endpoint.catch((error: unknown) => {
      endpoint = undefined;
      throw error;
    });
    const about = { client_id: client.id };
    const response = await introspectionRequest(server, about, authenticate(client.secret), token, {
      signal: AbortSignal.timeout(TIMEOUT),
      [allowInsecureRequests]: new URL(server.introspection_endpoint).protocol === "http:",
    });
    const answer = await processIntrospectionResponse(server, about, response);
    if (!answer.active) throw new InvalidTokenError("The token is not active");
    const claims = { iss: issuer, ...answer } as unknown as TokenClaims;
    if (cacheFor > 0) {
      const expiry = claims.exp === undefined ? Infinity : claims.exp * 1000;
      cached.delete(key);
      cached.set(key, { claims, until: Math.min(Date.now() + cacheFor, expiry) });
      if (cached.size > MOST_CACHED) cached.delete(cached.keys().next().value!);
    }
    return claims;
  };
}

async function endpointOf(
  issuer: string,
  given: string | undefined,
): Promise<{ issuer: string; introspection_endpoint: string }> {
  const endpoint = given ?? (await authorizationServerMetadata(issuer))["introspection_endpoint"];
  if (typeof endpoint === "string") return { issuer, introspection_endpoint: endpoint };
  throw new Error(`${issuer} has no introspection_endpoint: give introspection({ endpoint })`);
}

/** Digest under which an answer is kept, so that no token is. */
async function digestOf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  return String.fromCharCode(...new Uint8Array(digest));
}
