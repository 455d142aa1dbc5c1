import type { LoginSteps, TokenStep } from "@mcp-codegen/auth/client";
import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  type FetchLike,
  type OAuthClientInformationFull,
  type OAuthClientInformationMixed,
  type OAuthClientMetadata,
  OAuthError,
  OAuthErrorCode,
  type OAuthProtectedResourceMetadata,
  type OAuthTokens,
  resourceUrlFromServerUrl,
} from "../shared/index.js";
import { IssuerMismatchError, loginErrorOf, RegistrationRejectedError } from "./login-errors.js";
import type { AddClientAuthentication, OAuthClientProvider } from "./auth-provider.js";
import { assertSecureTokenEndpoint, withTls } from "./token-endpoints.js";

/** Performs a login step and converts its errors to SDK errors. The OAuth package is loaded on demand. */
export async function taken<Outcome>(
  server: string | URL,
  fetchFn: FetchLike | undefined,
  take: (steps: LoginSteps) => Promise<Outcome>,
): Promise<Outcome> {
  const { LoginSteps: Steps } = await import("@mcp-codegen/auth/client");
  try {
    return await take(new Steps(new URL(server), { allowHttp: true, fetch: withTls(fetchFn) }));
  } catch (error) {
    throw loginErrorOf(error);
  }
}

/**
 * Returns a registered client in the form that token endpoints expect.
 *
 * @param preset - an authentication method that replaces the registered one
 */
export function clientOf(
  { client_id, client_secret, ...rest }: OAuthClientInformationMixed,
  preset?: string,
): TokenStep["client"] {
  const method =
    preset ?? ("token_endpoint_auth_method" in rest ? rest.token_endpoint_auth_method : undefined);
  return {
    client_id,
    ...(client_secret ? { client_secret } : {}),
    ...(method === undefined || !client_secret ? {} : { token_endpoint_auth_method: method }),
  };
}

/*
 * Below are the steps of a login, named as in the SDK. `auth`, and a transport with an `authProvider`, perform
 * all of them.
 */

/** An MCP server's authorization server, and the metadata of both. */
export interface OAuthServerInfo {
  authorizationServerUrl: string;
  authorizationServerMetadata?: AuthorizationServerMetadata | undefined;
  resourceMetadata?: OAuthProtectedResourceMetadata | undefined;
}

interface TokenOptions {
  metadata?: AuthorizationServerMetadata | undefined;
  clientInformation: OAuthClientInformationMixed;
  /** Authenticates the client. Default: uses the client's secret, or no authentication. */
  addClientAuthentication?: AddClientAuthentication | undefined;
  resource?: URL | undefined;
  fetchFn?: FetchLike | undefined;
}

/**
 * Reads the metadata of an MCP server.
 * @throws Error if there is none
 */
export async function discoverOAuthProtectedResourceMetadata(
  serverUrl: string | URL,
  options: { protocolVersion?: string; resourceMetadataUrl?: string | URL } = {},
  fetchFn?: FetchLike,
): Promise<OAuthProtectedResourceMetadata> {
  const { resourceMetadataUrl: place } = options;
  const found = await taken(serverUrl, fetchFn, (steps) =>
    steps.resourceMetadata(place === undefined ? undefined : String(place)),
  );
  if (found) return found as OAuthProtectedResourceMetadata;
  throw new Error(`${String(serverUrl)} has no protected resource metadata (RFC 9728)`);
}

/**
 * Reads an authorization server's metadata. Returns undefined if there is none.
 *
 * @throws IssuerMismatchError if the metadata is for another issuer
 */
export function discoverAuthorizationServerMetadata(
  authorizationServerUrl: string | URL,
  {
    fetchFn,
    skipIssuerValidation = false,
  }: {
    fetchFn?: FetchLike | undefined;
    protocolVersion?: string | undefined;
    /** True to accept metadata for another issuer, which RFC 8414 (section 3.3) forbids. */
    skipIssuerValidation?: boolean | undefined;
  } = {},
): Promise<AuthorizationServerMetadata | undefined> {
  const issuer = String(authorizationServerUrl);
  const read = (
    name: string,
    accepted?: string,
  ): Promise<AuthorizationServerMetadata | undefined> =>
    taken(issuer, fetchFn, (steps) => steps.serverMetadata(name, accepted)) as Promise<never>;
  return read(issuer).catch((error: unknown) => {
    if (!(error instanceof IssuerMismatchError) || error.received === undefined) throw error;
    if (skipIssuerValidation) return read(issuer, error.received);
    const other = issuer.endsWith("/") ? issuer.slice(0, -1) : `${issuer}/`;
    if (error.received === other && new URL(other).pathname === "/") return read(other);
    throw error;
  });
}

/** Reads an authorization server's metadata, as in version 1. */
export function discoverOAuthMetadata(
  issuer: string | URL,
  options: { authorizationServerUrl?: string | URL; protocolVersion?: string } = {},
  fetchFn?: FetchLike,
): Promise<AuthorizationServerMetadata | undefined> {
  return discoverAuthorizationServerMetadata(options.authorizationServerUrl ?? issuer, { fetchFn });
}

/**
 * Returns the resource to request tokens for: the provider's choice, or else the resource in the metadata.
 *
 * @throws Error if the resource in the metadata does not contain the server
 */
export async function selectResourceURL(
  serverUrl: string | URL,
  provider: OAuthClientProvider,
  resourceMetadata?: OAuthProtectedResourceMetadata,
): Promise<URL | undefined> {
  const own = resourceUrlFromServerUrl(serverUrl);
  const { resource } = resourceMetadata ?? {};
  if (provider.validateResourceURL) return provider.validateResourceURL(own, resource);
  if (resource === undefined) return undefined;
  if (checkResourceAllowed({ requestedResource: own, configuredResource: resource })) {
    return new URL(resource);
  }
  throw new Error(`The metadata is for ${resource}, which does not contain ${own.href}`);
}

/**
 * Finds the authorization server of an MCP server. If the MCP server's metadata names none, returns the MCP server's
 * own origin.
 */
export async function discoverOAuthServerInfo(
  serverUrl: string | URL,
  options: {
    resourceMetadataUrl?: URL | undefined;
    fetchFn?: FetchLike | undefined;
    /** See `skipIssuerValidation` of {@link discoverAuthorizationServerMetadata}. */
    skipIssuerMetadataValidation?: boolean | undefined;
  } = {},
): Promise<OAuthServerInfo> {
  const { resourceMetadataUrl: place, fetchFn, skipIssuerMetadataValidation } = options;
  const found = await taken(serverUrl, fetchFn, (steps) => steps.resourceMetadata(place?.href));
  const resourceMetadata = found as OAuthProtectedResourceMetadata | undefined;
  const [named] = resourceMetadata?.authorization_servers ?? [];
  const authorizationServerUrl = named ?? new URL("/", serverUrl).href;
  const authorizationServerMetadata = await discoverAuthorizationServerMetadata(
    named ?? new URL(serverUrl).origin,
    { fetchFn, skipIssuerValidation: skipIssuerMetadataValidation },
  );
  return { authorizationServerUrl, authorizationServerMetadata, resourceMetadata };
}

/** Builds the authorization URL and a code verifier (PKCE). */
export async function startAuthorization(
  authorizationServerUrl: string | URL,
  options: {
    metadata?: AuthorizationServerMetadata | undefined;
    clientInformation: OAuthClientInformationMixed;
    redirectUrl: string | URL;
    scope?: string | undefined;
    state?: string | undefined;
    resource?: URL | undefined;
  },
): Promise<{ authorizationUrl: URL; codeVerifier: string }> {
  const { metadata, clientInformation, redirectUrl, scope, state, resource } = options;
  const { code_challenge_methods_supported: methods = ["S256"] } = metadata ?? {};
  if (metadata?.response_types_supported?.includes("code") === false) {
    throw new Error(
      "The authorization server does not support authorization codes (response_types_supported)",
    );
  }
  if (!methods.includes("S256")) {
    throw new Error(
      "The authorization server does not support PKCE with S256 (code_challenge_methods_supported)",
    );
  }
  const authorizationUrl = endpoint(
    metadata?.authorization_endpoint,
    "authorize",
    authorizationServerUrl,
  );
  const codeVerifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(codeVerifier));
  const parameters = {
    response_type: "code",
    client_id: clientInformation.client_id,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: "S256",
    redirect_uri: String(redirectUrl),
    state,
    scope,
    prompt: scope?.split(" ").includes("offline_access") ? "consent" : undefined,
    resource: resource?.href,
  };
  for (const [name, value] of Object.entries(parameters)) {
    if (value) authorizationUrl.searchParams.set(name, value);
  }
  return { authorizationUrl, codeVerifier };
}

/**
 * Exchanges the authorization code for tokens.
 * @throws IssuerMismatchError if the authorization response is from another issuer; OAuthError if the authorization
 * server refuses
 */
export async function exchangeAuthorization(
  authorizationServerUrl: string | URL,
  options: TokenOptions & {
    authorizationCode: string;
    /** The `iss` parameter of the authorization response. */
    iss?: string | undefined;
    codeVerifier: string;
    redirectUri: string | URL;
  },
): Promise<OAuthTokens> {
  const { authorizationCode: code, codeVerifier, redirectUri, iss, metadata } = options;
  validateAuthorizationResponseIssuer({
    iss,
    expectedIssuer: metadata?.issuer,
    issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
  });
  const own = { code, code_verifier: codeVerifier, redirect_uri: String(redirectUri) };
  return requestTokens(authorizationServerUrl, "authorization_code", own, options);
}

/**
 * Validates the issuer in an authorization response (RFC 9207).
 *
 * @throws IssuerMismatchError if the issuer is not the expected one, or is missing although the server supports it
 */
export function validateAuthorizationResponseIssuer(response: {
  iss?: string | undefined;
  expectedIssuer?: string | undefined;
  issParameterSupported?: boolean | undefined;
}): void {
  const { iss, expectedIssuer, issParameterSupported = false } = response;
  if (iss === undefined ? !issParameterSupported : iss === expectedIssuer) return;
  if (expectedIssuer === undefined && !issParameterSupported) return;
  throw new IssuerMismatchError("authorization_response", expectedIssuer, iss);
}

/**
 * Exchanges a refresh token for tokens. If the response contains no new refresh token, the old one is kept.
 * @throws OAuthError if the authorization server refuses
 */
export async function refreshAuthorization(
  authorizationServerUrl: string | URL,
  options: TokenOptions & { refreshToken: string },
): Promise<OAuthTokens> {
  const { refreshToken: refresh_token } = options;
  const renewed = await requestTokens(
    authorizationServerUrl,
    "refresh_token",
    { refresh_token },
    options,
  );
  return { refresh_token, ...renewed };
}

/**
 * Registers this client (RFC 7591).
 * @throws RegistrationRejectedError if the authorization server refuses
 */
export async function registerClient(
  authorizationServerUrl: string | URL,
  options: {
    metadata?: AuthorizationServerMetadata | undefined;
    clientMetadata: OAuthClientMetadata;
    scope?: string | undefined;
    fetchFn?: FetchLike | undefined;
  },
): Promise<OAuthClientInformationFull> {
  const { metadata, clientMetadata, scope, fetchFn } = options;
  if (metadata && metadata.registration_endpoint === undefined) {
    throw new Error("The authorization server does not register clients (registration_endpoint)");
  }
  const place = endpoint(metadata?.registration_endpoint, "register", authorizationServerUrl);
  const submittedMetadata = { ...clientMetadata, ...(scope === undefined ? {} : { scope }) };
  return taken(authorizationServerUrl, fetchFn, async (steps) => {
    const response = await steps.register(place.href, submittedMetadata);
    const { status } = response;
    const body = await response.text();
    if (!response.ok) throw new RegistrationRejectedError({ status, body, submittedMetadata });
    return JSON.parse(body) as OAuthClientInformationFull;
  });
}

/** Returns the error that an authorization server's response reports. */
export async function parseErrorResponse(input: Response | string): Promise<OAuthError> {
  const text = typeof input === "string" ? input : await input.text();
  const status = typeof input === "string" ? "" : `HTTP ${input.status}: `;
  try {
    const body = JSON.parse(text) as { error?: unknown };
    if (typeof body.error === "string") return OAuthError.fromResponse(body as never);
  } catch {
    // The body is not JSON, which is reported below.
  }
  return new OAuthError(
    OAuthErrorCode.ServerError,
    `${status}not an OAuth error: ${text.slice(0, 500)}`,
  );
}

export async function requestTokens(
  authorizationServerUrl: string | URL,
  grantType: string,
  own: Readonly<Record<string, string>>,
  { metadata, clientInformation, addClientAuthentication: add, resource, fetchFn }: TokenOptions,
): Promise<OAuthTokens> {
  const { href: token_endpoint } = endpoint(
    metadata?.token_endpoint,
    "token",
    authorizationServerUrl,
  );
  assertSecureTokenEndpoint(token_endpoint);
  const step: TokenStep = {
    metadata: { issuer: String(authorizationServerUrl), ...metadata, token_endpoint } as never,
    client: clientOf(clientInformation),
    grantType,
    parameters: { ...own, ...(resource ? { resource: resource.href } : {}) },
    authentication:
      add && ((_, _client, params, headers) => add(headers, params, token_endpoint, metadata)),
  };
  return taken(authorizationServerUrl, fetchFn, (steps) =>
    steps.token(step),
  ) as Promise<OAuthTokens>;
}

function endpoint(address: string | undefined, name: string, server: string | URL): URL {
  return new URL(address ?? `/${name}`, server);
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
