import { RpcError } from "@mcp-codegen/runtime";
import type {
  ClientCapabilities,
  ElicitRequestURLParams,
} from "@mcp-codegen/universal/common/types";

/** JSON-RPC error codes, under their version 2 names. */
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

/** Error codes under their version 1 names. The first two are only thrown locally, never sent. */
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

/** The codes of local failures. */
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

type ErrorClass<Instance> = abstract new (...args: never[]) => Instance;

/** An error that is raised on this side and never sent to the peer. */
export class SdkError extends Error {
  override readonly name: string = "SdkError";
  readonly code: SdkErrorCode;
  readonly data?: unknown;

  /** True if the value is an instance of this class. */
  static isInstance<Instance>(this: ErrorClass<Instance>, value: unknown): value is Instance {
    return value instanceof this;
  }

  constructor(code: SdkErrorCode, message: string, data?: unknown, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.data = data;
  }
}

/** The data of an {@link SdkHttpError}. */
export interface SdkHttpErrorData {
  status: number;
  statusText?: string;
  [name: string]: unknown;
}

/** The error for an HTTP request that the server answered with an error status. */
export class SdkHttpError extends SdkError {
  override readonly name: string = "SdkHttpError";
  override readonly data: SdkHttpErrorData;

  constructor(code: SdkErrorCode, message: string, data: SdkHttpErrorData, options?: ErrorOptions) {
    super(code, message, data, options);
    this.data = data;
  }

  get status(): number {
    return this.data.status;
  }

  get statusText(): string | undefined {
    return this.data.statusText;
  }
}

/** The error for a failed HTTP request in version 1. */
export class StreamableHTTPError extends Error {
  override readonly name: string = "StreamableHTTPError";
  /** The response's status, or undefined if there was no response. */
  readonly code: number | undefined;

  constructor(code: number | undefined, message: string | undefined, options?: ErrorOptions) {
    super(`Streamable HTTP error: ${message}`, options);
    this.code = code;
  }
}

/**
 * An error in a JSON-RPC message. Throwing one in a handler sends it to the peer; an error sent by the peer rejects the
 * request. Every `RpcError` counts as an instance of this class.
 */
export class ProtocolError extends RpcError {
  override readonly name: string = "ProtocolError";

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isErrorOf(this, value);
  }

  /** True if the value is an instance of this class. */
  static isInstance<Instance>(this: ErrorClass<Instance>, value: unknown): value is Instance {
    return value instanceof this;
  }

  /** Returns an error for a code. It is an instance of the code's own class if the data allows it. */
  static fromError(code: number, message: string, data?: unknown): ProtocolError {
    return knownError(code, message, data) ?? new ProtocolError(code, message, data);
  }
}

export function invalidParams(text: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, text);
}

/** The version 1 {@link ProtocolError}, whose message begins with the code. */
export class McpError extends ProtocolError {
  override readonly name: string = "McpError";

  constructor(code: number, message: string, data?: unknown) {
    super(code, `MCP error ${code}: ${message}`, data);
  }

  static override fromError(code: number, message: string, data?: unknown): McpError {
    const known = knownError(code, `MCP error ${code}: ${message}`, data);
    return known instanceof UrlElicitationRequiredError ? known : new McpError(code, message, data);
  }
}

/** The error for a URI that does not belong to any resource. */
export class ResourceNotFoundError extends ProtocolError {
  constructor(uri: string, message = `Resource not found: ${uri}`) {
    super(ProtocolErrorCode.InvalidParams, message, { uri });
  }

  get uri(): string {
    return (this.data as { uri: string }).uri;
  }
}

/** The error for a request that requires the user to open URLs first. */
export class UrlElicitationRequiredError extends ProtocolError {
  constructor(
    elicitations: ElicitRequestURLParams[],
    message = `URL elicitation${elicitations.length > 1 ? "s" : ""} required`,
  ) {
    super(ProtocolErrorCode.UrlElicitationRequired, message, { elicitations });
  }

  get elicitations(): ElicitRequestURLParams[] {
    return (this.data as { elicitations?: ElicitRequestURLParams[] }).elicitations ?? [];
  }
}

/** The data of an {@link UnsupportedProtocolVersionError}. */
export interface UnsupportedProtocolVersionErrorData {
  supported: string[];
  requested: string;
}

/** The error for a request that names a revision that the receiver does not support. */
export class UnsupportedProtocolVersionError extends ProtocolError {
  constructor(
    data: UnsupportedProtocolVersionErrorData,
    message = `Unsupported protocol version: ${data.requested}`,
  ) {
    super(ProtocolErrorCode.UnsupportedProtocolVersion, message, data);
  }

  get supported(): string[] {
    return (this.data as UnsupportedProtocolVersionErrorData).supported;
  }

  get requested(): string {
    return (this.data as UnsupportedProtocolVersionErrorData).requested;
  }
}

/** The data of a {@link MissingRequiredClientCapabilityError}. */
export interface MissingRequiredClientCapabilityErrorData {
  /** The missing capabilities only. */
  requiredCapabilities: ClientCapabilities;
}

/** The error from a server that requires capabilities that the client has not declared. */
export class MissingRequiredClientCapabilityError extends ProtocolError {
  constructor(
    data: MissingRequiredClientCapabilityErrorData,
    message = `Missing required client capabilities: ${Object.keys(data.requiredCapabilities).join(", ")}`,
  ) {
    super(ProtocolErrorCode.MissingRequiredClientCapability, message, data);
  }

  get requiredCapabilities(): ClientCapabilities {
    return (this.data as MissingRequiredClientCapabilityErrorData).requiredCapabilities;
  }
}

/**
 * True if a value counts as an instance of a class. Every `RpcError` counts as both a `ProtocolError` and an
 * `McpError`.
 */
function isErrorOf(target: object, value: unknown): boolean {
  const isGeneral = target === ProtocolError || target === McpError;
  return isGeneral
    ? value instanceof RpcError
    : Function.prototype[Symbol.hasInstance].call(target, value);
}

function knownError(code: number, message: string, data: unknown): ProtocolError | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const known = data as Record<string, unknown>;
  switch (code) {
    case ProtocolErrorCode.UrlElicitationRequired: {
      const { elicitations } = known;
      if (!Array.isArray(elicitations)) return undefined;
      return new UrlElicitationRequiredError(elicitations, message);
    }
    case ProtocolErrorCode.UnsupportedProtocolVersion: {
      const { supported, requested } = known;
      if (!Array.isArray(supported) || typeof requested !== "string") return undefined;
      return new UnsupportedProtocolVersionError({ supported, requested }, message);
    }
    case ProtocolErrorCode.InvalidParams:
    case ProtocolErrorCode.ResourceNotFound: {
      const { uri } = known;
      const isOld = code === ProtocolErrorCode.ResourceNotFound;
      if (typeof uri !== "string" || !(isOld || Object.keys(known).length === 1)) return undefined;
      return new ResourceNotFoundError(uri, message);
    }
    case ProtocolErrorCode.MissingRequiredClientCapability: {
      const required = known["requiredCapabilities"];
      if (typeof required !== "object" || required === null || Array.isArray(required)) {
        return undefined;
      }
      return new MissingRequiredClientCapabilityError({ requiredCapabilities: required }, message);
    }
    default:
      return undefined;
  }
}

export function asProtocolError(error: RpcError): RpcError {
  return isOwnError(error) ? error : ProtocolError.fromError(error.code, error.message, error.data);
}

/** True if an error is already an instance of one of this package's classes. */
export function isOwnError(error: RpcError): boolean {
  return ProtocolError.prototype.isPrototypeOf(error);
}
