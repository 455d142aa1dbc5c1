import {
  OAuthError,
  OAuthErrorCode,
  type OAuthProtectedResourceMetadata,
  type FetchLike,
  type OAuthTokens,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from "../shared/index.js";
import type {
  OAuthClientInformationContext,
  OAuthClientProvider,
  OAuthDiscoveryState,
} from "./auth-provider.js";
import { AuthorizationServerMismatchError, OAuthClientFlowError } from "./login-errors.js";
import {
  discoverAuthorizationServerMetadata,
  discoverOAuthServerInfo,
  exchangeAuthorization,
  type OAuthServerInfo,
  refreshAuthorization,
  registerClient,
  requestTokens,
  selectResourceURL,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from "./login-steps.js";

/** The outcome of a login: either a token is available, or the user was redirected to the authorization server. */
export type AuthResult = "AUTHORIZED" | "REDIRECT";

/** The options of `auth`, which performs a login with a provider. */
export interface AuthOptions {
  readonly serverUrl: string | URL;
  /** The authorization code from the redirect. */
  readonly authorizationCode?: string | undefined;
  /** The issuer from the redirect. */
  readonly iss?: string | undefined;
  /** The scopes to request. Default: those of the resource, or those in the client's metadata. */
  readonly scope?: string | undefined;
  /** The location of the resource metadata, from a challenge. */
  readonly resourceMetadataUrl?: URL | undefined;
  readonly fetchFn?: FetchLike | undefined;
  /** True to redirect the user to the authorization server even if the tokens could be refreshed. */
  readonly forceReauthorization?: boolean | undefined;
  /**
   * True to accept an authorization server's metadata that names another issuer, which RFC 8414
   * (section 3.3) forbids. Use it only for trusted servers that are misconfigured.
   */
  readonly skipIssuerMetadataValidation?: boolean | undefined;
}

interface Login {
  readonly request: AuthOptions;
  readonly info: OAuthServerInfo;
  readonly of: OAuthClientInformationContext;
  readonly resource: URL | undefined;
  readonly scope: string | undefined;
}

/**
 * Obtains tokens with a provider. If the authorization server refuses the client or a grant, the stored tokens are
 * discarded, together with the client if it was the one refused, and the login starts once more. A login with an
 * authorization code fails instead, because a code must not be sent twice.
 *
 * @throws OAuthError or OAuthClientFlowError if the login fails
 */
export async function login(
  provider: OAuthClientProvider,
  request: AuthOptions,
): Promise<AuthResult> {
  try {
    return await attempt(provider, request);
  } catch (error) {
    // A code is sent only once, because servers revoke the tokens issued for a code that they receive again.
    const isFinal = request.authorizationCode !== undefined || !(error instanceof OAuthError);
    if (isFinal || !(await discarded(provider, error.code))) throw error;
    return attempt(provider, request);
  }
}

/**
 * Returns the code and the issuer from the redirect URL's parameters. It first validates the issuer, and also `state`
 * if this process has sent one.
 *
 * @throws OAuthError if the authorization was refused, OAuthClientFlowError if the response belongs to another request
 *   or server, or has no code
 */
export async function codeIn(
  provider: OAuthClientProvider,
  answer: URLSearchParams,
  request: AuthOptions,
): Promise<{ readonly authorizationCode: string; readonly iss: string | undefined }> {
  const iss = answer.get("iss") ?? undefined;
  const { authorizationServerMetadata: metadata } = await visitedServer(provider, request);
  validateAuthorizationResponseIssuer({
    iss,
    expectedIssuer: metadata?.issuer,
    issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
  });
  const state = states.get(provider);
  if (state !== undefined && answer.get("state") !== state) {
    throw new OAuthClientFlowError(
      "The authorization response belongs to no request of this client",
    );
  }
  const error = answer.get("error");
  if (error !== null) throw new OAuthError(error, answer.get("error_description") ?? error);
  const authorizationCode = answer.get("code");
  if (authorizationCode) return { authorizationCode, iss };
  throw new OAuthClientFlowError("The authorization response has no code");
}

const states = new WeakMap<OAuthClientProvider, string>();
/** The authorization servers to which users were redirected, for providers that do not store them. */
const visited = new WeakMap<OAuthClientProvider, OAuthServerInfo>();

async function attempt(provider: OAuthClientProvider, request: AuthOptions): Promise<AuthResult> {
  const { authorizationCode: code, forceReauthorization = false } = request;
  const info = await (code === undefined ? currentServer : visitedServer)(provider, request);
  const { authorizationServerUrl, authorizationServerMetadata: metadata, resourceMetadata } = info;
  const own: Login = {
    request,
    info,
    of: { issuer: metadata?.issuer ?? authorizationServerUrl },
    resource: await selectResourceURL(request.serverUrl, provider, resourceMetadata),
    scope: scopeOf(provider, info, request.scope),
  };
  await provider.saveAuthorizationServerUrl?.(own.of.issuer);
  if (own.resource) await provider.saveResourceUrl?.(own.resource.href);
  const { token_endpoint_auth_method: method } = provider.clientMetadata;
  const clientInformation = {
    ...(method !== undefined && { token_endpoint_auth_method: method }),
    ...(await clientFor(provider, own)),
  };
  const options = {
    metadata,
    clientInformation,
    addClientAuthentication: provider.addClientAuthentication?.bind(provider),
    resource: own.resource,
    fetchFn: request.fetchFn,
  };
  const keep = async (tokens: OAuthTokens): Promise<AuthResult> => {
    await provider.saveTokens({ ...tokens, token_type: "Bearer", issuer: own.of.issuer }, own.of);
    return "AUTHORIZED";
  };
  const { redirectUrl } = provider;
  if (code !== undefined) {
    const codeVerifier = await provider.codeVerifier();
    const redirectUri = redirectUrl ?? "";
    const exchange = {
      ...options,
      authorizationCode: code,
      iss: request.iss,
      codeVerifier,
      redirectUri,
    };
    return keep(await exchangeAuthorization(authorizationServerUrl, exchange));
  }
  if (redirectUrl === undefined || provider.prepareTokenRequest) {
    const prepared = await provider.prepareTokenRequest?.(own.scope);
    if (prepared === undefined) {
      throw new OAuthClientFlowError("A provider without redirectUrl needs prepareTokenRequest()");
    }
    const { grant_type: type = "client_credentials", ...rest } = Object.fromEntries(prepared);
    return keep(await requestTokens(authorizationServerUrl, type, rest, options));
  }
  const renewed = forceReauthorization ? undefined : await refreshed(provider, own, options);
  if (renewed !== undefined) return keep(renewed);
  const state = await provider.state?.();
  const { authorizationUrl, codeVerifier } = await startAuthorization(authorizationServerUrl, {
    ...options,
    redirectUrl,
    scope: own.scope,
    state,
  });
  if (state === undefined) states.delete(provider);
  else states.set(provider, state);
  await provider.saveCodeVerifier(codeVerifier);
  await provider.redirectToAuthorization(authorizationUrl);
  return "REDIRECT";
}

/** Discovers the authorization server again, and stores it. */
async function currentServer(
  provider: OAuthClientProvider,
  request: AuthOptions,
): Promise<OAuthServerInfo> {
  const { serverUrl, resourceMetadataUrl } = request;
  const info = await discoverOAuthServerInfo(serverUrl, request);
  visited.set(provider, info);
  const state: OAuthDiscoveryState = {
    ...info,
    ...(resourceMetadataUrl && { resourceMetadataUrl: resourceMetadataUrl.href }),
  };
  await provider.saveDiscoveryState?.(state);
  return info;
}

/** Returns the authorization server to which the user was redirected. The code must be sent to no other server. */
async function visitedServer(
  provider: OAuthClientProvider,
  request: AuthOptions,
): Promise<OAuthServerInfo> {
  const stored = (await provider.discoveryState?.()) as
    (OAuthDiscoveryState & { resourceMetadata?: OAuthProtectedResourceMetadata }) | undefined;
  if (stored === undefined) return visited.get(provider) ?? currentServer(provider, request);
  const { authorizationServerUrl: url, resourceMetadata } = stored;
  const authorizationServerMetadata = (stored.authorizationServerMetadata ??
    (await discoverAuthorizationServerMetadata(url, {
      fetchFn: request.fetchFn,
      skipIssuerValidation: request.skipIssuerMetadataValidation,
    }))) as OAuthServerInfo["authorizationServerMetadata"];
  return { authorizationServerUrl: url, authorizationServerMetadata, resourceMetadata };
}

/**
 * Returns the client's identity at the authorization server: a stored one, the client's metadata document, or a new
 * registration.
 */
async function clientFor(
  provider: OAuthClientProvider,
  { request, info, of, scope }: Login,
): Promise<StoredOAuthClientInformation> {
  const known = await provider.clientInformation(of);
  if (known !== undefined && isOf(known, of)) return known;
  const { authorizationServerUrl, authorizationServerMetadata: metadata } = info;
  if (request.authorizationCode !== undefined) {
    throw new OAuthClientFlowError("The code belongs to no stored client: clientInformation()");
  }
  const isFixed = known?.issuer !== undefined && !provider.saveClientInformation;
  if (isFixed) throw new AuthorizationServerMismatchError(known.issuer!, of.issuer);
  const { clientMetadata, clientMetadataUrl, redirectUrl } = provider;
  const isDocumented = metadata?.["client_id_metadata_document_supported"] === true;
  if (clientMetadataUrl && isDocumented) {
    const client = { client_id: clientMetadataUrl, issuer: of.issuer };
    await provider.saveClientInformation?.(client, of);
    return client;
  }
  if (!provider.saveClientInformation) {
    throw new OAuthClientFlowError(
      `There is no client for ${of.issuer}: return one of clientInformation(), or implement saveClientInformation()`,
    );
  }
  const submitted = {
    application_type: isNative(redirectUrl) ? "native" : "web",
    grant_types: ["authorization_code", "refresh_token"],
    ...clientMetadata,
  };
  const { fetchFn } = request;
  const registration = { metadata, clientMetadata: submitted, scope, fetchFn };
  const registered = await registerClient(authorizationServerUrl, registration);
  const client = { ...registered, issuer: of.issuer };
  await provider.saveClientInformation(client, of);
  return client;
}

/**
 * Returns new tokens for the stored refresh token. Also returns undefined if the authorization server cannot respond.
 */
async function refreshed(
  provider: OAuthClientProvider,
  { info, of }: Login,
  options: Omit<Parameters<typeof refreshAuthorization>[1], "refreshToken">,
): Promise<OAuthTokens | undefined> {
  const tokens = await provider.tokens(of);
  if (!tokens?.refresh_token || !isOf(tokens, of)) return undefined;
  try {
    return await refreshAuthorization(info.authorizationServerUrl, {
      ...options,
      refreshToken: tokens.refresh_token,
    });
  } catch (error) {
    const isKnown = error instanceof OAuthError || error instanceof OAuthClientFlowError;
    const isBusy = error instanceof OAuthError && error.code === OAuthErrorCode.ServerError;
    if (isKnown && !isBusy) throw error;
    return undefined;
  }
}

function scopeOf(
  { clientMetadata }: OAuthClientProvider,
  { authorizationServerMetadata, resourceMetadata }: OAuthServerInfo,
  requested: string | undefined,
): string | undefined {
  const listed = resourceMetadata?.scopes_supported?.join(" ");
  const scope = requested || listed || clientMetadata.scope;
  const isOffered = authorizationServerMetadata?.scopes_supported?.includes("offline_access");
  const isWanted = clientMetadata.grant_types?.includes("refresh_token");
  const isMissing = scope !== undefined && !scope.split(" ").includes("offline_access");
  return isOffered && isWanted && isMissing ? `${scope} offline_access` : scope;
}

/** True if values were stored for this authorization server, or without an issuer. */
function isOf(
  { issuer }: Pick<StoredOAuthTokens, "issuer">,
  of: OAuthClientInformationContext,
): boolean {
  return issuer === undefined || issuer === of.issuer;
}

/**
 * True if the redirect URL belongs to a native application: it is on this machine, or has a scheme that belongs to the
 * application.
 */
function isNative(redirectUrl: string | URL | undefined): boolean {
  if (redirectUrl === undefined) return false;
  const { protocol, hostname } = new URL(redirectUrl);
  return protocol !== "https:" && (protocol !== "http:" || isLoopback(hostname));
}

function isLoopback(hostname: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}

/** Discards the credentials that an OAuth error code rejects. Returns false if the code is not about credentials. */
async function discarded(provider: OAuthClientProvider, code: string): Promise<boolean> {
  const isClient = code === "invalid_client" || code === "unauthorized_client";
  if (!isClient && code !== "invalid_grant") return false;
  if (isClient) await provider.invalidateCredentials?.("client");
  await provider.invalidateCredentials?.("tokens");
  return true;
}

/** Returns the union of two lists of scopes, in the order in which the scopes appear. */
export function computeScopeUnion(
  before: string | undefined,
  further: string | undefined,
): string | undefined {
  const all = [before, further].flatMap((list) => list?.split(" ") ?? []).filter(Boolean);
  return all.length === 0 ? undefined : [...new Set(all)].join(" ");
}

/** True if the first list has all scopes of the second list, and more. */
export function isStrictScopeSuperset(
  scope: string | undefined,
  other: string | undefined,
): boolean {
  const [mine, theirs] = [scope, other].map(
    (list) => new Set(list?.split(" ").filter(Boolean) ?? []),
  ) as [Set<string>, Set<string>];
  return mine.size > theirs.size && [...theirs].every((one) => mine.has(one));
}
