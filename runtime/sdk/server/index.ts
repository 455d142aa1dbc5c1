export * from "../shared/index.js";
export { completable, isCompletable } from "@mcp-codegen/universal";
export type {
  AnyToolHandler,
  BaseToolCallback,
  CompleteCallback,
  CompleteResourceTemplateCallback,
  ListResourcesCallback,
  PromptCallback,
  ReadResourceCallback,
  ReadResourceTemplateCallback,
  ToolCallback,
  Variables,
  ZodRawShape,
} from "./adapted-callbacks.js";
export {
  createMcpHandler,
  type LegacyHttpHandler,
  legacyStatelessFallback,
  type CreateMcpHandlerOptions,
  type McpHandlerRequestOptions,
  type McpHttpHandler,
  type McpRequestContext,
  type McpServerFactory,
} from "./create-mcp-handler.js";
export {
  InMemoryServerEventBus,
  type ServerEvent,
  type ServerEventBus,
  type ServerNotifier,
} from "./event-bus.js";
export type { EventId, EventStore, StreamId } from "./event-store.js";
export { SessionTransport, type SessionTransportOptions } from "./session-transport.js";
export {
  type HandleRequestOptions,
  WebStandardStreamableHTTPServerTransport,
  type WebStandardStreamableHTTPServerTransportOptions,
} from "./session-transport.js";
export {
  DEFAULT_MAX_REQUEST_BODY_SIZE,
  isLegacyRequest,
  type IsLegacyRequestOptions,
  readRequestBody,
} from "./request-era.js";
export { McpServer, type PromptConfig, type ToolConfig } from "./mcp-server.js";
export type {
  RegisteredPrompt,
  RegisteredResource,
  RegisteredResourceTemplate,
  RegisteredTool,
  ResourceMetadata,
} from "./registrations.js";
export {
  createRequestStateCodec,
  type RequestStateCodec,
  type RequestStateCodecOptions,
} from "./request-state-codec.js";
export { ResourceTemplate } from "./resource-template.js";
export { Server } from "./server.js";
export type { ServerContext } from "./server-context.js";
export type {
  CacheHint,
  ServerOptions,
  ServerOptions as McpServerOptions,
} from "./server-options.js";
export {
  type AuthMetadataOptions,
  buildOAuthProtectedResourceMetadata,
  getOAuthProtectedResourceMetadataUrl,
  oauthMetadataResponse,
} from "./auth/auth-metadata.js";
export {
  bearerAuthChallengeResponse,
  type BearerAuthOptions,
  type OAuthTokenVerifier,
  requireBearerAuth,
  verifyBearerToken,
  type VerifyBearerTokenOptions,
} from "./auth/bearer-auth.js";
export {
  hostHeaderValidationResponse,
  type HostHeaderValidationResult,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  type OriginValidationResult,
  validateHostHeader,
  validateOriginHeader,
} from "./host-guards.js";
export {
  requireScopes,
  type ScopeChallenge,
  type ScopeChallengeHandler,
} from "./auth/scope-challenge.js";
export {
  classifyInboundRequest,
  type InboundClassificationOutcome,
  type InboundHttpRequest,
  type InboundLadderRejection,
  type InboundLegacyRoute,
  type InboundLegacyRouteReason,
  type InboundModernRoute,
} from "./hosting/inbound-request.js";
