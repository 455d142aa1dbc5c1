/** All the SDK's schema constants. */
export * from "./protocol-schemas.js";
export {
  CallToolResultSchema,
  ClientTasksCapabilitySchema,
  CompatibilityCallToolResultSchema,
  CreateMessageResultWithToolsSchema,
  ListChangedOptionsBaseSchema,
  ProgressSchema,
  RequestMetaSchema,
  SamplingContentSchema,
  ServerTasksCapabilitySchema,
  SubscriptionsListenResultMetaSchema,
  TaskCreationParamsSchema,
  ToolResultContentSchema,
} from "./further-schemas.js";
export {
  IdJagTokenExchangeResponseSchema,
  OAuthClientInformationFullSchema,
  OAuthClientInformationSchema,
  OAuthClientMetadataSchema,
  OAuthClientRegistrationErrorSchema,
  OAuthErrorResponseSchema,
  OAuthMetadataSchema,
  OAuthProtectedResourceMetadataSchema,
  OAuthTokenRevocationRequestSchema,
  OAuthTokensSchema,
  OpenIdProviderDiscoveryMetadataSchema,
  OpenIdProviderMetadataSchema,
  OptionalSafeUrlSchema,
  SafeUrlSchema,
} from "./oauth-schemas.js";
