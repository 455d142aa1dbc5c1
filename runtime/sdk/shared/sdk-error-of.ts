import {
  LocalError,
  type LocalErrorCode,
  RequestTimeoutError,
  RpcError,
} from "@mcp-codegen/runtime";
import { ErrorCode, SdkErrorCode } from "./error-codes.js";
import { McpError, ProtocolError } from "./protocol-error.js";
import { SdkError, SdkHttpError } from "./sdk-error.js";
import { StreamableHTTPError } from "./streamable-http-error.js";

const CODES: Record<LocalErrorCode, SdkErrorCode> = {
  CONNECTION_CLOSED: SdkErrorCode.ConnectionClosed,
  REQUEST_TIMEOUT: SdkErrorCode.RequestTimeout,
  REQUEST_CANCELLED: SdkErrorCode.RequestTimeout,
  SUSPENDED: SdkErrorCode.RequestTimeout,
  INVALID_MESSAGE: SdkErrorCode.InvalidResult,
  CAPABILITY: SdkErrorCode.CapabilityNotSupported,
  LIFECYCLE: SdkErrorCode.NotConnected,
  UNSUPPORTED_REVISION: SdkErrorCode.EraNegotiationFailed,
  OVERLOAD: SdkErrorCode.SendFailed,
  INPUT_REFUSED: SdkErrorCode.CapabilityNotSupported,
  HTTP: SdkErrorCode.ClientHttpNotImplemented,
  HANDLER: SdkErrorCode.SendFailed,
};
const HTTP_CODES: Readonly<Record<number, SdkErrorCode>> = {
  401: SdkErrorCode.ClientHttpAuthentication,
  403: SdkErrorCode.ClientHttpForbidden,
};

/**
 * Error of version 2 for one that our runtime throws: an `RpcError` becomes a {@link ProtocolError} of the class that
 * belongs to it, a `LocalError` an {@link SdkError} whose `cause` it is. Everything else stays as it is.
 */
export function sdkErrorOf(error: unknown): unknown {
  if (error instanceof RpcError) return asProtocolError(error);
  if (!(error instanceof LocalError)) return error;
  const { code, message } = error;
  const status = (error as { status?: unknown }).status;
  if (typeof status === "number") {
    const httpCode = HTTP_CODES[status] ?? CODES.HTTP;
    return new SdkHttpError(httpCode, message, { status }, { cause: error });
  }
  const data = error instanceof RequestTimeoutError ? { timeout: error.timeout } : undefined;
  return new SdkError(CODES[code], message, data, { cause: error });
}

/** Error of version 1 for one that our runtime throws: an {@link McpError}, where there is a code for it. */
export function mcpErrorOf(error: unknown): unknown {
  if (error instanceof RpcError) {
    return isOwn(error) ? error : McpError.fromError(error.code, error.message, error.data);
  }
  if (!(error instanceof LocalError)) return error;
  if (error instanceof RequestTimeoutError) {
    return new McpError(ErrorCode.RequestTimeout, "Request timed out", { timeout: error.timeout });
  }
  if (error.code === "CONNECTION_CLOSED") {
    return new McpError(ErrorCode.ConnectionClosed, "Connection closed");
  }
  if (error.code === "HTTP") {
    const { status } = error as { status?: number };
    return new StreamableHTTPError(status, error.message, { cause: error });
  }
  return error;
}

function asProtocolError(error: RpcError): RpcError {
  return isOwn(error) ? error : ProtocolError.fromError(error.code, error.message, error.data);
}

/** True when the error is of a class of this package already. */
function isOwn(error: RpcError): boolean {
  return ProtocolError.prototype.isPrototypeOf(error);
}
