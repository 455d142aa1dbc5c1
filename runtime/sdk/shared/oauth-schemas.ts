import {
  allOf,
  anything,
  array,
  boolean,
  literal,
  maybe,
  number,
  object,
  reference,
  string,
  type Shapes,
} from "@mcp-codegen/runtime/codegen";
import { describedSchema, type Schema } from "./message-schema.js";
import type { Trace } from "@mcp-codegen/runtime";
import type * as types from "./oauth.js";

const EXECUTABLE = ["javascript:", "data:", "vbscript:"];

const SHAPES: Shapes = {
  OAuthProtectedResourceMetadata: () =>
    object({
      resource: reference("Url"),
      authorization_servers: maybe(array(reference("SafeUrl"))),
      jwks_uri: maybe(reference("Url")),
      scopes_supported: maybe(array(string)),
      bearer_methods_supported: maybe(array(string)),
      resource_signing_alg_values_supported: maybe(array(string)),
      resource_name: maybe(string),
      resource_documentation: maybe(string),
      resource_policy_uri: maybe(reference("Url")),
      resource_tos_uri: maybe(reference("Url")),
      tls_client_certificate_bound_access_tokens: maybe(boolean),
      authorization_details_types_supported: maybe(array(string)),
      dpop_signing_alg_values_supported: maybe(array(string)),
      dpop_bound_access_tokens_required: maybe(boolean),
    }),
  OAuthMetadata: () =>
    object({
      issuer: string,
      authorization_endpoint: reference("SafeUrl"),
      token_endpoint: reference("SafeUrl"),
      registration_endpoint: maybe(reference("SafeUrl")),
      scopes_supported: maybe(array(string)),
      response_types_supported: array(string),
      response_modes_supported: maybe(array(string)),
      grant_types_supported: maybe(array(string)),
      token_endpoint_auth_methods_supported: maybe(array(string)),
      token_endpoint_auth_signing_alg_values_supported: maybe(array(string)),
      service_documentation: maybe(reference("SafeUrl")),
      revocation_endpoint: maybe(reference("SafeUrl")),
      revocation_endpoint_auth_methods_supported: maybe(array(string)),
      revocation_endpoint_auth_signing_alg_values_supported: maybe(array(string)),
      introspection_endpoint: maybe(string),
      introspection_endpoint_auth_methods_supported: maybe(array(string)),
      introspection_endpoint_auth_signing_alg_values_supported: maybe(array(string)),
      code_challenge_methods_supported: maybe(array(string)),
      client_id_metadata_document_supported: maybe(boolean),
      authorization_response_iss_parameter_supported: maybe(boolean),
    }),
  OpenIdProviderMetadata: () =>
    object({
      issuer: string,
      authorization_endpoint: reference("SafeUrl"),
      token_endpoint: reference("SafeUrl"),
      userinfo_endpoint: maybe(reference("SafeUrl")),
      jwks_uri: reference("SafeUrl"),
      registration_endpoint: maybe(reference("SafeUrl")),
      scopes_supported: maybe(array(string)),
      response_types_supported: array(string),
      response_modes_supported: maybe(array(string)),
      grant_types_supported: maybe(array(string)),
      acr_values_supported: maybe(array(string)),
      subject_types_supported: array(string),
      id_token_signing_alg_values_supported: array(string),
      id_token_encryption_alg_values_supported: maybe(array(string)),
      id_token_encryption_enc_values_supported: maybe(array(string)),
      userinfo_signing_alg_values_supported: maybe(array(string)),
      userinfo_encryption_alg_values_supported: maybe(array(string)),
      userinfo_encryption_enc_values_supported: maybe(array(string)),
      request_object_signing_alg_values_supported: maybe(array(string)),
      request_object_encryption_alg_values_supported: maybe(array(string)),
      request_object_encryption_enc_values_supported: maybe(array(string)),
      token_endpoint_auth_methods_supported: maybe(array(string)),
      token_endpoint_auth_signing_alg_values_supported: maybe(array(string)),
      display_values_supported: maybe(array(string)),
      claim_types_supported: maybe(array(string)),
      claims_supported: maybe(array(string)),
      service_documentation: maybe(string),
      claims_locales_supported: maybe(array(string)),
      ui_locales_supported: maybe(array(string)),
      claims_parameter_supported: maybe(boolean),
      request_parameter_supported: maybe(boolean),
      request_uri_parameter_supported: maybe(boolean),
      require_request_uri_registration: maybe(boolean),
      op_policy_uri: maybe(reference("SafeUrl")),
      op_tos_uri: maybe(reference("SafeUrl")),
      client_id_metadata_document_supported: maybe(boolean),
      authorization_response_iss_parameter_supported: maybe(boolean),
    }),
  OpenIdProviderDiscoveryMetadata: () =>
    allOf(
      reference("OpenIdProviderMetadata"),
      object({ code_challenge_methods_supported: maybe(array(string)) }),
    ),
  OAuthTokens: () =>
    object({
      access_token: string,
      id_token: maybe(string),
      token_type: string,
      expires_in: maybe(number),
      scope: maybe(string),
      refresh_token: maybe(string),
    }),
  IdJagTokenExchangeResponse: () =>
    object({
      issued_token_type: literal("urn:ietf:params:oauth:token-type:id-jag"),
      access_token: string,
      token_type: maybe(string),
      expires_in: maybe(number),
      scope: maybe(string),
    }),
  OAuthErrorResponse: () =>
    object({ error: string, error_description: maybe(string), error_uri: maybe(string) }),
  OAuthClientMetadata: () =>
    object({
      redirect_uris: array(reference("SafeUrl")),
      token_endpoint_auth_method: maybe(string),
      grant_types: maybe(array(string)),
      response_types: maybe(array(string)),
      application_type: maybe(string),
      client_name: maybe(string),
      client_uri: maybe(reference("SafeUrl")),
      logo_uri: maybe(reference("OptionalSafeUrl")),
      scope: maybe(string),
      contacts: maybe(array(string)),
      tos_uri: maybe(reference("OptionalSafeUrl")),
      policy_uri: maybe(string),
      jwks_uri: maybe(reference("SafeUrl")),
      jwks: maybe(anything),
      software_id: maybe(string),
      software_version: maybe(string),
      software_statement: maybe(string),
    }),
  OAuthClientInformation: () =>
    object({
      client_id: string,
      client_secret: maybe(string),
      client_id_issued_at: maybe(number),
      client_secret_expires_at: maybe(number),
    }),
  OAuthClientInformationFull: () =>
    allOf(reference("OAuthClientMetadata"), reference("OAuthClientInformation")),
  OAuthClientRegistrationError: () => object({ error: string, error_description: maybe(string) }),
  OAuthTokenRevocationRequest: () => object({ token: string, token_type_hint: maybe(string) }),
  Url: () => isUrl,
  SafeUrl: () => isSafeUrl,
  OptionalSafeUrl: () => isOptionalSafeUrl,
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
/** A schema for URLs whose scheme cannot run code when they are opened. */
export const SafeUrlSchema: Schema<string> = /* @__PURE__ */ describedSchema(SHAPES, "SafeUrl");
/** A schema for safe URLs that also accepts an empty string, which counts as undefined. */
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

/** Converts `expires_in` to a number, because some servers send it as a string. */
function withNumber(value: unknown): unknown {
  const seconds = (value as { expires_in?: unknown } | null)?.expires_in;
  if (typeof seconds !== "string" || seconds.trim() === "") return value;
  return { ...(value as object), expires_in: Number(seconds) };
}
