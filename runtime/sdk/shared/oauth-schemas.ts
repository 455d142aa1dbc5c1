import { describedSchema, type Schema } from "@mcp-codegen/runtime/facade/codegen";
import type { Trace } from "@mcp-codegen/runtime";
import type * as types from "./oauth.js";

const EXECUTABLE = ["javascript:", "data:", "vbscript:"];

/** Descriptions of OAuth documents. */
const SHAPES = {
  OAuthProtectedResourceMetadata:
    "{ resource: Url; authorization_servers?: SafeUrl[]; jwks_uri?: Url; scopes_supported?: string[]; bearer_methods_supported?: string[]; resource_signing_alg_values_supported?: string[]; resource_name?: string; resource_documentation?: string; resource_policy_uri?: Url; resource_tos_uri?: Url; tls_client_certificate_bound_access_tokens?: boolean; authorization_details_types_supported?: string[]; dpop_signing_alg_values_supported?: string[]; dpop_bound_access_tokens_required?: boolean }",
  OAuthMetadata:
    "{ issuer: string; authorization_endpoint: SafeUrl; token_endpoint: SafeUrl; registration_endpoint?: SafeUrl; scopes_supported?: string[]; response_types_supported: string[]; response_modes_supported?: string[]; grant_types_supported?: string[]; token_endpoint_auth_methods_supported?: string[]; token_endpoint_auth_signing_alg_values_supported?: string[]; service_documentation?: SafeUrl; revocation_endpoint?: SafeUrl; revocation_endpoint_auth_methods_supported?: string[]; revocation_endpoint_auth_signing_alg_values_supported?: string[]; introspection_endpoint?: string; introspection_endpoint_auth_methods_supported?: string[]; introspection_endpoint_auth_signing_alg_values_supported?: string[]; code_challenge_methods_supported?: string[]; client_id_metadata_document_supported?: boolean; authorization_response_iss_parameter_supported?: boolean }",
  OpenIdProviderMetadata:
    "{ issuer: string; authorization_endpoint: SafeUrl; token_endpoint: SafeUrl; userinfo_endpoint?: SafeUrl; jwks_uri: SafeUrl; registration_endpoint?: SafeUrl; scopes_supported?: string[]; response_types_supported: string[]; response_modes_supported?: string[]; grant_types_supported?: string[]; acr_values_supported?: string[]; subject_types_supported: string[]; id_token_signing_alg_values_supported: string[]; id_token_encryption_alg_values_supported?: string[]; id_token_encryption_enc_values_supported?: string[]; userinfo_signing_alg_values_supported?: string[]; userinfo_encryption_alg_values_supported?: string[]; userinfo_encryption_enc_values_supported?: string[]; request_object_signing_alg_values_supported?: string[]; request_object_encryption_alg_values_supported?: string[]; request_object_encryption_enc_values_supported?: string[]; token_endpoint_auth_methods_supported?: string[]; token_endpoint_auth_signing_alg_values_supported?: string[]; display_values_supported?: string[]; claim_types_supported?: string[]; claims_supported?: string[]; service_documentation?: string; claims_locales_supported?: string[]; ui_locales_supported?: string[]; claims_parameter_supported?: boolean; request_parameter_supported?: boolean; request_uri_parameter_supported?: boolean; require_request_uri_registration?: boolean; op_policy_uri?: SafeUrl; op_tos_uri?: SafeUrl; client_id_metadata_document_supported?: boolean; authorization_response_iss_parameter_supported?: boolean }",
  OpenIdProviderDiscoveryMetadata:
    "OpenIdProviderMetadata & { code_challenge_methods_supported?: string[] }",
  OAuthTokens:
    "{ access_token: string; id_token?: string; token_type: string; expires_in?: number; scope?: string; refresh_token?: string }",
  IdJagTokenExchangeResponse:
    '{ issued_token_type: "urn:ietf:params:oauth:token-type:id-jag"; access_token: string; token_type?: string; expires_in?: number; scope?: string }',
  OAuthErrorResponse: "{ error: string; error_description?: string; error_uri?: string }",
  OAuthClientMetadata:
    "{ redirect_uris: SafeUrl[]; token_endpoint_auth_method?: string; grant_types?: string[]; response_types?: string[]; application_type?: string; client_name?: string; client_uri?: SafeUrl; logo_uri?: OptionalSafeUrl; scope?: string; contacts?: string[]; tos_uri?: OptionalSafeUrl; policy_uri?: string; jwks_uri?: SafeUrl; jwks?: unknown; software_id?: string; software_version?: string; software_statement?: string }",
  OAuthClientInformation:
    "{ client_id: string; client_secret?: string; client_id_issued_at?: number; client_secret_expires_at?: number }",
  OAuthClientInformationFull: "OAuthClientMetadata & OAuthClientInformation",
  OAuthClientRegistrationError: "{ error: string; error_description?: string }",
  OAuthTokenRevocationRequest: "{ token: string; token_type_hint?: string }",
  Url: isUrl,
  SafeUrl: isSafeUrl,
  OptionalSafeUrl: isOptionalSafeUrl,
};

export const OAuthProtectedResourceMetadataSchema: Schema<types.OAuthProtectedResourceMetadata> =
  /* @__PURE__ */ describedSchema(SHAPES, "OAuthProtectedResourceMetadata");
export const OAuthMetadataSchema: Schema<types.OAuthMetadata> = /* @__PURE__ */ describedSchema(
  SHAPES,
  "OAuthMetadata",
);
export const OpenIdProviderMetadataSchema: Schema<types.OpenIdProviderMetadata> =
  /* @__PURE__ */ describedSchema(SHAPES, "OpenIdProviderMetadata");
export const OpenIdProviderDiscoveryMetadataSchema: Schema<types.OpenIdProviderDiscoveryMetadata> =
  /* @__PURE__ */ describedSchema(SHAPES, "OpenIdProviderDiscoveryMetadata");
export const OAuthTokensSchema: Schema<types.OAuthTokens> = /* @__PURE__ */ describedSchema(
  SHAPES,
  "OAuthTokens",
  withNumber,
);
export const IdJagTokenExchangeResponseSchema: Schema<types.IdJagTokenExchangeResponse> =
  /* @__PURE__ */ describedSchema(SHAPES, "IdJagTokenExchangeResponse");
export const OAuthErrorResponseSchema: Schema<types.OAuthErrorResponse> =
  /* @__PURE__ */ describedSchema(SHAPES, "OAuthErrorResponse");
export const OAuthClientMetadataSchema: Schema<types.OAuthClientMetadata> =
  /* @__PURE__ */ describedSchema(SHAPES, "OAuthClientMetadata");
export const OAuthClientInformationSchema: Schema<types.OAuthClientInformation> =
  /* @__PURE__ */ describedSchema(SHAPES, "OAuthClientInformation");
export const OAuthClientInformationFullSchema: Schema<types.OAuthClientInformationFull> =
  /* @__PURE__ */ describedSchema(SHAPES, "OAuthClientInformationFull");
export const OAuthClientRegistrationErrorSchema: Schema<types.OAuthClientRegistrationError> =
  /* @__PURE__ */ describedSchema(SHAPES, "OAuthClientRegistrationError");
export const OAuthTokenRevocationRequestSchema: Schema<types.OAuthTokenRevocationRequest> =
  /* @__PURE__ */ describedSchema(SHAPES, "OAuthTokenRevocationRequest");
/** A URL whose scheme cannot run code when it is opened. */
export const SafeUrlSchema: Schema<string> = /* @__PURE__ */ describedSchema(SHAPES, "SafeUrl");
/** A safe URL, or an empty string for none. */
export const OptionalSafeUrlSchema: Schema<string | undefined> = /* @__PURE__ */ describedSchema(
  SHAPES,
  "OptionalSafeUrl",
  (value) => (value === "" ? undefined : value),
);

function isUrl(value: unknown, trace?: Trace): value is string {
  return accepted(typeof value === "string" && URL.canParse(value), "URL", value, trace);
}

function isSafeUrl(value: unknown, trace?: Trace): value is string {
  const isSafe =
    typeof value === "string" &&
    URL.canParse(value) &&
    !EXECUTABLE.includes(new URL(value).protocol);
  return accepted(isSafe, "URL that does not run code", value, trace);
}

function isOptionalSafeUrl(value: unknown, trace?: Trace): value is string | undefined {
  return value === "" || value === undefined || isSafeUrl(value, trace);
}

function accepted(isAccepted: boolean, expected: string, value: unknown, trace?: Trace): boolean {
  if (!isAccepted) trace?.push({ path: "", expected, received: typeof value });
  return isAccepted;
}

/** Converts a number of seconds that some servers send as a string. */
function withNumber(value: unknown): unknown {
  const seconds = (value as { expires_in?: unknown } | null)?.expires_in;
  if (typeof seconds !== "string" || seconds.trim() === "") return value;
  return { ...(value as object), expires_in: Number(seconds) };
}
