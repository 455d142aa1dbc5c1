import type { Auth } from "@mcp-codegen/runtime";

/** Protected resource metadata (RFC 9728). */
export interface OAuthProtectedResourceMetadata {
  resource: string;
  authorization_servers?: string[] | undefined;
  jwks_uri?: string | undefined;
  scopes_supported?: string[] | undefined;
  bearer_methods_supported?: string[] | undefined;
  resource_signing_alg_values_supported?: string[] | undefined;
  resource_name?: string | undefined;
  resource_documentation?: string | undefined;
  resource_policy_uri?: string | undefined;
  resource_tos_uri?: string | undefined;
  tls_client_certificate_bound_access_tokens?: boolean | undefined;
  authorization_details_types_supported?: string[] | undefined;
  dpop_signing_alg_values_supported?: string[] | undefined;
  dpop_bound_access_tokens_required?: boolean | undefined;
  [name: string]: unknown;
}

/** Authorization server metadata (RFC 8414). */
export interface OAuthMetadata {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  registration_endpoint?: string | undefined;
  scopes_supported?: string[] | undefined;
  response_types_supported: string[];
  response_modes_supported?: string[] | undefined;
  grant_types_supported?: string[] | undefined;
  token_endpoint_auth_methods_supported?: string[] | undefined;
  token_endpoint_auth_signing_alg_values_supported?: string[] | undefined;
  service_documentation?: string | undefined;
  revocation_endpoint?: string | undefined;
  revocation_endpoint_auth_methods_supported?: string[] | undefined;
  revocation_endpoint_auth_signing_alg_values_supported?: string[] | undefined;
  introspection_endpoint?: string | undefined;
  introspection_endpoint_auth_methods_supported?: string[] | undefined;
  introspection_endpoint_auth_signing_alg_values_supported?: string[] | undefined;
  code_challenge_methods_supported?: string[] | undefined;
  client_id_metadata_document_supported?: boolean | undefined;
  authorization_response_iss_parameter_supported?: boolean | undefined;
  [name: string]: unknown;
}

/** OpenID provider metadata (OpenID Connect Discovery 1.0). */
export interface OpenIdProviderMetadata {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  userinfo_endpoint?: string | undefined;
  jwks_uri: string;
  registration_endpoint?: string | undefined;
  scopes_supported?: string[] | undefined;
  response_types_supported: string[];
  response_modes_supported?: string[] | undefined;
  grant_types_supported?: string[] | undefined;
  acr_values_supported?: string[] | undefined;
  subject_types_supported: string[];
  id_token_signing_alg_values_supported: string[];
  id_token_encryption_alg_values_supported?: string[] | undefined;
  id_token_encryption_enc_values_supported?: string[] | undefined;
  userinfo_signing_alg_values_supported?: string[] | undefined;
  userinfo_encryption_alg_values_supported?: string[] | undefined;
  userinfo_encryption_enc_values_supported?: string[] | undefined;
  request_object_signing_alg_values_supported?: string[] | undefined;
  request_object_encryption_alg_values_supported?: string[] | undefined;
  request_object_encryption_enc_values_supported?: string[] | undefined;
  token_endpoint_auth_methods_supported?: string[] | undefined;
  token_endpoint_auth_signing_alg_values_supported?: string[] | undefined;
  display_values_supported?: string[] | undefined;
  claim_types_supported?: string[] | undefined;
  claims_supported?: string[] | undefined;
  service_documentation?: string | undefined;
  claims_locales_supported?: string[] | undefined;
  ui_locales_supported?: string[] | undefined;
  claims_parameter_supported?: boolean | undefined;
  request_parameter_supported?: boolean | undefined;
  request_uri_parameter_supported?: boolean | undefined;
  require_request_uri_registration?: boolean | undefined;
  op_policy_uri?: string | undefined;
  op_tos_uri?: string | undefined;
  client_id_metadata_document_supported?: boolean | undefined;
  authorization_response_iss_parameter_supported?: boolean | undefined;
  [name: string]: unknown;
}

/** OpenID provider metadata that also lists the supported code challenge methods. */
export interface OpenIdProviderDiscoveryMetadata extends OpenIdProviderMetadata {
  code_challenge_methods_supported?: string[] | undefined;
}

/** A token response (RFC 6749, section 5.1). */
export interface OAuthTokens {
  access_token: string;
  id_token?: string | undefined;
  token_type: string;
  expires_in?: number | undefined;
  scope?: string | undefined;
  refresh_token?: string | undefined;
}

/** The response to exchanging a token for an identity assertion (ID-JAG). */
export interface IdJagTokenExchangeResponse {
  issued_token_type: "urn:ietf:params:oauth:token-type:id-jag";
  access_token: string;
  token_type?: string | undefined;
  expires_in?: number | undefined;
  scope?: string | undefined;
}

/** An error from an authorization server (RFC 6749, section 5.2). */
export interface OAuthErrorResponse {
  error: string;
  error_description?: string | undefined;
  error_uri?: string | undefined;
}

/** Client metadata (RFC 7591). */
export interface OAuthClientMetadata {
  redirect_uris: string[];
  token_endpoint_auth_method?: string | undefined;
  grant_types?: string[] | undefined;
  response_types?: string[] | undefined;
  application_type?: string | undefined;
  client_name?: string | undefined;
  client_uri?: string | undefined;
  logo_uri?: string | undefined;
  scope?: string | undefined;
  contacts?: string[] | undefined;
  tos_uri?: string | undefined;
  policy_uri?: string | undefined;
  jwks_uri?: string | undefined;
  jwks?: unknown;
  software_id?: string | undefined;
  software_version?: string | undefined;
  software_statement?: string | undefined;
}

/** A registered client's credentials (RFC 7591, section 3.2.1). */
export interface OAuthClientInformation {
  client_id: string;
  client_secret?: string | undefined;
  client_id_issued_at?: number | undefined;
  client_secret_expires_at?: number | undefined;
}

/** A registration response: the client's metadata and credentials. */
export interface OAuthClientInformationFull extends OAuthClientMetadata, OAuthClientInformation {}

/** A registration error (RFC 7591, section 3.2.2). */
export interface OAuthClientRegistrationError {
  error: string;
  error_description?: string | undefined;
}

/** A request to revoke a token (RFC 7009). */
export interface OAuthTokenRevocationRequest {
  token: string;
  token_type_hint?: string | undefined;
}

/** A client's credentials, with or without its metadata. */
export type OAuthClientInformationMixed = OAuthClientInformation | OAuthClientInformationFull;
/** Authorization server metadata, in either form. */
export type AuthorizationServerMetadata = OAuthMetadata | OpenIdProviderDiscoveryMetadata;
/** Tokens and the authorization server that issued them. */
export type StoredOAuthTokens = OAuthTokens & { issuer?: string | undefined };
/** Credentials and the authorization server that issued them. */
export type StoredOAuthClientInformation = OAuthClientInformationMixed & {
  issuer?: string | undefined;
};

/** OAuth error codes (RFC 6749, 6750, 7009, 7591, 8707). */
export const OAuthErrorCode = {
  InvalidRequest: "invalid_request",
  InvalidClient: "invalid_client",
  InvalidGrant: "invalid_grant",
  UnauthorizedClient: "unauthorized_client",
  UnsupportedGrantType: "unsupported_grant_type",
  InvalidScope: "invalid_scope",
  AccessDenied: "access_denied",
  ServerError: "server_error",
  TemporarilyUnavailable: "temporarily_unavailable",
  UnsupportedResponseType: "unsupported_response_type",
  UnsupportedTokenType: "unsupported_token_type",
  InvalidToken: "invalid_token",
  MethodNotAllowed: "method_not_allowed",
  TooManyRequests: "too_many_requests",
  InvalidClientMetadata: "invalid_client_metadata",
  InvalidRedirectUri: "invalid_redirect_uri",
  InsufficientScope: "insufficient_scope",
  InvalidTarget: "invalid_target",
  InvalidDpopProof: "invalid_dpop_proof",
  UseDpopNonce: "use_dpop_nonce",
} as const;
/** One of the {@link OAuthErrorCode}s. */
export type OAuthErrorCode = (typeof OAuthErrorCode)[keyof typeof OAuthErrorCode];

/** An OAuth error with a code and a description (RFC 6749, section 5.2). */
export class OAuthError extends Error {
  override readonly name: string = "OAuthError";
  readonly code: string;
  readonly errorUri?: string | undefined;

  /** True if the value is an instance of this class. */
  static isInstance<Instance>(
    this: abstract new (...args: never[]) => Instance,
    value: unknown,
  ): value is Instance {
    return value instanceof this;
  }

  /** Returns the error reported in an authorization server's response. */
  static fromResponse({ error, error_description, error_uri }: OAuthErrorResponse): OAuthError {
    return new OAuthError(error, error_description ?? error, error_uri);
  }

  constructor(code: OAuthErrorCode | (string & {}), message: string, errorUri?: string) {
    super(message);
    this.code = code;
    this.errorUri = errorUri;
  }

  /** The error's code, under its version 1 name. */
  get errorCode(): string {
    return this.code;
  }

  /** Returns the body for a response with this error. */
  toResponseObject(): OAuthErrorResponse {
    const { code, message, errorUri } = this;
    return {
      error: code,
      error_description: message,
      ...(errorUri ? { error_uri: errorUri } : {}),
    };
  }
}

/** A caller with a validated access token. */
export interface AuthInfo {
  token: string;
  clientId: string;
  scopes: string[];
  /** The time at which the token expires, in seconds since 1970. */
  expiresAt?: number;
  /** The resource for which the token was issued (RFC 8707). */
  resource?: URL;
  /** The URL of the metadata that directs clients to the authorization server (RFC 9728). */
  resourceMetadataUrl?: string;
  /** Additional data from the verifier. */
  extra?: Record<string, unknown>;
}

const infos = new WeakMap<Auth, AuthInfo>();

/** Converts a caller to the runtime's form, without the token. {@link authInfoOf} is the inverse. */
export function authOf(info: AuthInfo): Auth {
  const { clientId, scopes, extra, expiresAt } = info;
  const subject = extra?.["sub"];
  const auth: Auth = {
    principal: JSON.stringify([clientId, ...(typeof subject === "string" ? [subject] : [])]),
    scopes,
    ...(extra === undefined ? {} : { claims: extra }),
    ...(expiresAt === undefined ? {} : { expiresAt: expiresAt * 1000 }),
  };
  infos.set(auth, info);
  return auth;
}

/** Converts a caller to the SDK's form. The token is empty if the caller was not authenticated through this package. */
export function authInfoOf(auth: Auth | undefined): AuthInfo | undefined {
  if (auth === undefined) return undefined;
  const { principal, scopes = [], claims } = auth;
  return (
    infos.get(auth) ?? {
      token: "",
      clientId: clientOf(claims) ?? principal,
      scopes: [...scopes],
      ...(claims === undefined ? {} : { extra: { ...claims } }),
    }
  );
}

function clientOf(claims: Auth["claims"]): string | undefined {
  const client = claims?.["client_id"] ?? claims?.["azp"];
  return typeof client === "string" ? client : undefined;
}

/** Returns the resource identified by a server's URL: the URL without its fragment (RFC 8707). */
export function resourceUrlFromServerUrl(url: URL | string): URL {
  const resource = new URL(url);
  resource.hash = "";
  return resource;
}

/** True if the requested resource is the configured one, or lies below its path on the same origin. */
export function checkResourceAllowed({
  requestedResource,
  configuredResource,
}: {
  requestedResource: URL | string;
  configuredResource: URL | string;
}): boolean {
  const requested = new URL(requestedResource);
  const configured = new URL(configuredResource);
  const isBelow = folder(requested).startsWith(folder(configured));
  return requested.origin === configured.origin && isBelow;
}

function folder({ pathname }: URL): string {
  return pathname.endsWith("/") ? pathname : `${pathname}/`;
}
