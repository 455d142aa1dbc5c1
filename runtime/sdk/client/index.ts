export * from "../shared/index.js";
export * from "./auth-helpers.js";
export {
  type AddClientAuthentication,
  type AuthProvider,
  type OAuthClientInformationContext,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type UnauthorizedContext,
  UnauthorizedError,
} from "./auth-provider.js";
export {
  AuthorizationServerMismatchError,
  InsecureTokenEndpointError,
  InsufficientScopeError,
  IssuerMismatchError,
  OAuthClientFlowError,
  RegistrationRejectedError,
} from "./login-errors.js";
export * from "./jwt-grants.js";
export {
  discoverAuthorizationServerMetadata,
  discoverOAuthMetadata,
  discoverOAuthProtectedResourceMetadata,
  discoverOAuthServerInfo,
  exchangeAuthorization,
  type OAuthServerInfo,
  parseErrorResponse,
  refreshAuthorization,
  registerClient,
  selectResourceURL,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from "./login-steps.js";
export {
  type AuthOptions,
  type AuthResult,
  computeScopeUnion,
  isStrictScopeSuperset,
  login as auth,
} from "./provider-login.js";
export * from "./machine-providers.js";
export { assertSecureTokenEndpoint } from "./token-endpoints.js";
export { Client } from "./client.js";
export type { McpSubscription } from "./client-connection.js";
export type {
  CacheableRequestOptions,
  CacheMode,
  CallToolRequestOptions,
  ClientOptions,
  ConnectOptions,
  InputRequiredOptions,
  PriorDiscovery,
  VersionNegotiationMode,
  VersionNegotiationOptions,
  VersionNegotiationProbeOptions,
} from "./client-options.js";
export {
  type CacheEntry,
  type CacheKey,
  type CacheScope,
  InMemoryResponseCacheStore,
  type InMemoryResponseCacheStoreOptions,
  MAX_CACHE_TTL_MS,
  type MaybePromise,
  type ResponseCacheStore,
} from "./response-cache-store.js";
export {
  SSEClientTransport,
  type SSEClientTransportOptions,
  SseError,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
  type StreamableHTTPReconnectionOptions,
} from "./http.js";
export type { ReconnectionScheduler } from "./stream-schedule.js";
export {
  applyMiddlewares,
  createMiddleware,
  type LoggingOptions,
  type Middleware,
  type RequestLogger,
  withLogging,
} from "./middleware.js";
