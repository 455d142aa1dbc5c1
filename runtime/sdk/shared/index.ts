export type { AuthInfo } from "./auth-info.js";
export { authInfoOf, authOf } from "./auth-conversion.js";
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
export { fromJsonSchema } from "./from-json-schema.js";
export { getDisplayName } from "./display-name.js";
export { ErrorCode, ProtocolErrorCode, SdkErrorCode } from "./error-codes.js";
export { createFetchWithInit, normalizeHeaders } from "./fetch-with-init.js";
export { InMemoryTransport } from "./in-memory-transport.js";
export { isJsonContentType, mediaTypeEssence } from "./media-type.js";
export { mergeCapabilities } from "./merge-capabilities.js";
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
export type * from "./message-types.js";
export { OAuthError, OAuthErrorCode } from "./oauth-error.js";
export type * from "./oauth-types.js";
export {
  McpError,
  MissingRequiredClientCapabilityError,
  type MissingRequiredClientCapabilityErrorData,
  ProtocolError,
  ResourceNotFoundError,
  UnsupportedProtocolVersionError,
  type UnsupportedProtocolVersionErrorData,
  UrlElicitationRequiredError,
} from "./protocol-error.js";
export { NativeTransport } from "./native-transport.js";
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
export type * from "./request-meta.js";
export { runtimeTransport } from "./runtime-transport.js";
export { SdkError, SdkHttpError, type SdkHttpErrorData } from "./sdk-error.js";
export { mcpErrorOf, sdkErrorOf } from "./sdk-error-of.js";
export type * from "./standard-schema.js";
export type * from "./transport.js";
export { checkResourceAllowed, resourceUrlFromServerUrl } from "./resource-url.js";
export {
  type AsyncGeneratorValue,
  type BaseResponseMessage,
  type ErrorMessage,
  type ResponseMessage,
  type ResultMessage,
  takeResult,
  type TaskCreatedMessage,
  type TaskStatusMessage,
  toArrayAsync,
} from "./response-messages.js";
export { preloadSchemas } from "./preload-schemas.js";
export type {
  ResourceTemplate as ResourceTemplateType,
  SubscriptionsListenResultMetaObject as SubscriptionsListenResultMeta,
} from "./message-types.js";
export * from "./schema-constants.js";
export { isSpecType, type SpecTypeName, type SpecTypes, specTypeSchemas } from "./spec-types.js";
export { StreamableHTTPError } from "./streamable-http-error.js";
export { deserializeMessage, ReadBuffer, serializeMessage } from "./stdio-messages.js";
export {
  issueToolNameWarning,
  type ToolNameValidation,
  validateAndWarnToolName,
  validateToolName,
} from "./tool-name.js";
export { UriTemplate, type Variables } from "./uri-template.js";
export type { MessageSchema, Schema } from "@mcp-codegen/runtime/facade/codegen";
export { getSupportedElicitationModes } from "./elicitation-modes.js";
