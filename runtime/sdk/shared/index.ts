export type { AuthInfo } from "./oauth.js";
export { authInfoOf, authOf } from "./oauth.js";
export {
  BAGGAGE_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
  DEFAULT_REQUEST_TIMEOUT_MSEC,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  JSONRPC_VERSION,
  LATEST_PROTOCOL_VERSION,
  LOG_LEVEL_META_KEY,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  PROTOCOL_VERSION_META_KEY,
  RELATED_TASK_META_KEY,
  SERVER_INFO_META_KEY,
  STDIO_DEFAULT_MAX_BUFFER_SIZE,
  SUBSCRIPTION_ID_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
  TRACEPARENT_META_KEY,
  TRACESTATE_META_KEY,
} from "./constants.js";
export { fromJsonSchema } from "./schemas.js";
export { getDisplayName } from "./names.js";
export { ErrorCode, ProtocolErrorCode, SdkErrorCode } from "./errors.js";
export { createFetchWithInit, normalizeHeaders } from "./transport.js";
export { InMemoryTransport } from "./in-memory-transport.js";
export { isJsonContentType, mediaTypeEssence } from "./transport.js";
export { mergeCapabilities } from "./capabilities.js";
export {
  assertCompleteRequestPrompt,
  assertCompleteRequestResourceTemplate,
  isCallToolResult,
  isInitializedNotification,
  isInitializeRequest,
  isInputRequiredResult,
  isJSONRPCError,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  isJSONRPCResultResponse,
  isTaskAugmentedRequestParams,
  parseJSONRPCMessage,
} from "./guards.js";
export {
  acceptedContent,
  type ElicitInputParams,
  inputRequired,
  type InputRequiredSpec,
  inputResponse,
  type InputResponseView,
  withInputRequired,
} from "./input-required.js";
export type * from "./protocol-types.js";
export { OAuthError, OAuthErrorCode } from "./oauth.js";
export type * from "./oauth.js";
export {
  McpError,
  MissingRequiredClientCapabilityError,
  type MissingRequiredClientCapabilityErrorData,
  ProtocolError,
  ResourceNotFoundError,
  UnsupportedProtocolVersionError,
  type UnsupportedProtocolVersionErrorData,
  UrlElicitationRequiredError,
} from "./errors.js";
export { NativeTransport } from "./transport.js";
export type {
  BaseContext,
  ClientContext,
  CompatibilityCallToolResult,
  CompleteRequestPrompt,
  CompleteRequestResourceTemplate,
  CreateMessageRequestParamsBase,
  CreateMessageRequestParamsWithTools,
  CreateMessageResultWithTools,
  HandlerResultTypeMap,
  InputRequiredResult,
  ListChangedCallback,
  ListChangedHandlers,
  ListChangedOptions,
  NotificationMethod,
  NotificationOptions,
  NotificationTypeMap,
  Progress,
  ProgressCallback,
  ProtocolEra,
  ProtocolOptions,
  RequestHandlerExtra,
  RequestHandlerSchemas,
  RequestMethod,
  RequestOptions,
  RequestStateAccessor,
  RequestTypeMap,
  ResultTypeMap,
  SamplingContent,
  TaskCreationParams,
  TaskRequestOptions,
} from "./protocol-types.js";
export type * from "./constants.js";
export { runtimeTransport } from "./runtime-transport.js";
export { SdkError, SdkHttpError, type SdkHttpErrorData } from "./errors.js";
export { mcpErrorOf, refusalOf, reportOf, sdkErrorOf } from "./converted-errors.js";
export { isOwnError } from "./errors.js";
export type * from "./schemas.js";
export type * from "./transport.js";
export { checkResourceAllowed, resourceUrlFromServerUrl } from "./oauth.js";
export * from "./response-messages.js";
export { preloadSchemas } from "./preload-schemas.js";
export type {
  ResourceTemplate as ResourceTemplateType,
  SubscriptionsListenResultMetaObject as SubscriptionsListenResultMeta,
} from "./protocol-types.js";
export * from "./schema-constants.js";
export { isSpecType, type SpecTypeName, type SpecTypes, specTypeSchemas } from "./spec-types.js";
export { StreamableHTTPError } from "./errors.js";
export { deserializeMessage, ReadBuffer, serializeMessage } from "./stdio-messages.js";
export {
  issueToolNameWarning,
  type ToolNameValidation,
  validateAndWarnToolName,
  validateToolName,
} from "./names.js";
export { UriTemplate, type Variables } from "./uri-template.js";
export type { MessageSchema, Schema } from "./message-schema.js";
export { getSupportedElicitationModes } from "./capabilities.js";
