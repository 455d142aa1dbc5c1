/** Error codes of JSON-RPC messages, by the names of version 2. */
export const ProtocolErrorCode = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  ResourceNotFound: -32002,
  MissingRequiredClientCapability: -32021,
  UnsupportedProtocolVersion: -32022,
  UrlElicitationRequired: -32042,
} as const;
/** One of the {@link ProtocolErrorCode}s. */
export type ProtocolErrorCode = (typeof ProtocolErrorCode)[keyof typeof ProtocolErrorCode];

/** Error codes by the names of version 1; the first two never travel. */
export const ErrorCode = {
  ConnectionClosed: -32000,
  RequestTimeout: -32001,
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  UrlElicitationRequired: -32042,
} as const;
/** One of the {@link ErrorCode}s. */
export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];

/** Codes of failures on this side of the connection. */
export const SdkErrorCode = {
  NotConnected: "NOT_CONNECTED",
  AlreadyConnected: "ALREADY_CONNECTED",
  NotInitialized: "NOT_INITIALIZED",
  CapabilityNotSupported: "CAPABILITY_NOT_SUPPORTED",
  RequestTimeout: "REQUEST_TIMEOUT",
  ConnectionClosed: "CONNECTION_CLOSED",
  SendFailed: "SEND_FAILED",
  InvalidResult: "INVALID_RESULT",
  UnsupportedResultType: "UNSUPPORTED_RESULT_TYPE",
  InputRequiredRoundsExceeded: "INPUT_REQUIRED_ROUNDS_EXCEEDED",
  ListPaginationExceeded: "LIST_PAGINATION_EXCEEDED",
  MethodNotSupportedByProtocolVersion: "METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION",
  EraNegotiationFailed: "ERA_NEGOTIATION_FAILED",
  ClientHttpNotImplemented: "CLIENT_HTTP_NOT_IMPLEMENTED",
  ClientHttpAuthentication: "CLIENT_HTTP_AUTHENTICATION",
  ClientHttpForbidden: "CLIENT_HTTP_FORBIDDEN",
  ClientHttpUnexpectedContent: "CLIENT_HTTP_UNEXPECTED_CONTENT",
  ClientHttpFailedToOpenStream: "CLIENT_HTTP_FAILED_TO_OPEN_STREAM",
  ClientHttpFailedToTerminateSession: "CLIENT_HTTP_FAILED_TO_TERMINATE_SESSION",
} as const;
/** One of the {@link SdkErrorCode}s. */
export type SdkErrorCode = (typeof SdkErrorCode)[keyof typeof SdkErrorCode];
