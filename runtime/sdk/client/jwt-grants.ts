import type { FetchLike } from "../shared/index.js";
import { clientOf, discoverAuthorizationServerMetadata, taken } from "./login-steps.js";

/** The options of {@link requestJwtAuthorizationGrant}. */
export interface RequestJwtAuthGrantOptions {
  tokenEndpoint: string | URL;
  /** The MCP server's authorization server. */
  audience: string | URL;
  resource: string | URL;
  idToken: string;
  clientId: string;
  clientSecret?: string | undefined;
  scope?: string | undefined;
  fetchFn?: FetchLike | undefined;
}

/** The options of {@link discoverAndRequestJwtAuthGrant}. */
export interface DiscoverAndRequestJwtAuthGrantOptions extends Omit<
  RequestJwtAuthGrantOptions,
  "tokenEndpoint"
> {
  /** The URL of the enterprise's identity provider. */
  idpUrl: string | URL;
}

/** An assertion for an MCP server's authorization server. `expiresIn` is in seconds. */
export interface JwtAuthGrantResult {
  jwtAuthGrant: string;
  expiresIn?: number | undefined;
  scope?: string | undefined;
}

const ID_JAG = "urn:ietf:params:oauth:token-type:id-jag";

/**
 * Exchanges an ID token for an assertion (enterprise-managed authorization).
 * @throws OAuthError if the identity provider refuses
 */
export async function requestJwtAuthorizationGrant(
  options: RequestJwtAuthGrantOptions,
): Promise<JwtAuthGrantResult> {
  const { tokenEndpoint, audience, resource, idToken, clientId, clientSecret, scope } = options;
  const parameters = {
    requested_token_type: ID_JAG,
    subject_token: idToken,
    subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
    audience: String(audience),
    resource: String(resource),
    ...(scope === undefined ? {} : { scope }),
  };
  const step = {
    metadata: { issuer: new URL(tokenEndpoint).origin, token_endpoint: String(tokenEndpoint) },
    client: clientOf({ client_id: clientId, client_secret: clientSecret }, "client_secret_post"),
    grantType: "urn:ietf:params:oauth:grant-type:token-exchange",
    parameters,
    otherTypes: ["n_a"],
  };
  const answer = await taken(tokenEndpoint, options.fetchFn, (steps) => steps.token(step));
  if (answer.issued_token_type !== ID_JAG) {
    throw new Error("The identity provider returned a token of another type than id-jag");
  }
  return { jwtAuthGrant: answer.access_token, expiresIn: answer.expires_in, scope: answer.scope };
}

/** Finds the identity provider's token endpoint, and exchanges an ID token there for an assertion. */
export async function discoverAndRequestJwtAuthGrant({
  idpUrl,
  ...options
}: DiscoverAndRequestJwtAuthGrantOptions): Promise<JwtAuthGrantResult> {
  const found = await discoverAuthorizationServerMetadata(idpUrl, options);
  if (found?.token_endpoint === undefined) {
    throw new Error(`The identity provider ${String(idpUrl)} has no token endpoint`);
  }
  return requestJwtAuthorizationGrant({ ...options, tokenEndpoint: found.token_endpoint });
}

/**
 * Exchanges an assertion for an access token (RFC 7523).
 * @throws OAuthError if the authorization server refuses
 */
export function exchangeJwtAuthGrant(options: {
  tokenEndpoint: string | URL;
  jwtAuthGrant: string;
  clientId: string;
  clientSecret?: string | undefined;
  authMethod?: "client_secret_basic" | "client_secret_post" | "none" | undefined;
  fetchFn?: FetchLike | undefined;
}): Promise<{ access_token: string; token_type: string; expires_in?: number; scope?: string }> {
  const { tokenEndpoint, jwtAuthGrant, clientId, clientSecret } = options;
  const { authMethod = "client_secret_basic" } = options;
  const step = {
    metadata: { issuer: new URL(tokenEndpoint).origin, token_endpoint: String(tokenEndpoint) },
    client: clientOf({ client_id: clientId, client_secret: clientSecret }, authMethod),
    grantType: "urn:ietf:params:oauth:grant-type:jwt-bearer",
    parameters: { assertion: jwtAuthGrant },
  };
  return taken(tokenEndpoint, options.fetchFn, (steps) => steps.token(step)) as never;
}
