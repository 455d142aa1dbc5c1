/** Metadata of a protected resource (RFC 9728). */
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

/** Metadata of an authorization server (RFC 8414). */
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

/** Metadata of an OpenID provider (OpenID Connect Discovery 1.0). */
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

/** Metadata of an OpenID provider that also says which code challenges it takes. */
export interface OpenIdProviderDiscoveryMetadata extends OpenIdProviderMetadata {
  code_challenge_methods_supported?: string[] | undefined;
}

/** Tokens of a token endpoint (RFC 6749, section 5.1). */
export interface OAuthTokens {
  access_token: string;
  id_token?: string | undefined;
  token_type: string;
  expires_in?: number | undefined;
  scope?: string | undefined;
  refresh_token?: string | undefined;
}

/** Answer to the exchange of a token for an identity assertion. */
export interface IdJagTokenExchangeResponse {
  issued_token_type: "urn:ietf:params:oauth:token-type:id-jag";
  access_token: string;
  token_type?: string | undefined;
  expires_in?: number | undefined;
  scope?: string | undefined;
}

/** Error of an authorization server (RFC 6749, section 5.2). */
export interface OAuthErrorResponse {
  error: string;
  error_description?: string | undefined;
  error_uri?: string | undefined;
}

/** Metadata of a client (RFC 7591). */
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

/** Credentials of a registered client (RFC 7591, section 3.2.1). */
export interface OAuthClientInformation {
  client_id: string;
  client_secret?: string | undefined;
  client_id_issued_at?: number | undefined;
  client_secret_expires_at?: number | undefined;
}

/** Answer to a registration: metadata and credentials. */
export interface OAuthClientInformationFull extends OAuthClientMetadata, OAuthClientInformation {}

/** Error of a registration (RFC 7591, section 3.2.2). */
export interface OAuthClientRegistrationError {
  error: string;
  error_description?: string | undefined;
}

/** Request to revoke a token (RFC 7009). */
export interface OAuthTokenRevocationRequest {
  token: string;
  token_type_hint?: string | undefined;
}

/** Credentials of a client, with its metadata or without. */
export type OAuthClientInformationMixed = OAuthClientInformation | OAuthClientInformationFull;
/** Metadata of an authorization server, in either form. */
export type AuthorizationServerMetadata = OAuthMetadata | OpenIdProviderDiscoveryMetadata;
/** Tokens, and the authorization server that issued them. */
export type StoredOAuthTokens = OAuthTokens & { issuer?: string | undefined };
/** Credentials, and the authorization server that they were registered at. */
export type StoredOAuthClientInformation = OAuthClientInformationMixed & {
  issuer?: string | undefined;
};
