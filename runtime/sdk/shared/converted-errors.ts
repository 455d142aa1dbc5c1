import {
  CapabilityError,
  LocalError,
  type LocalErrorCode,
  RequestTimeoutError,
  RpcError,
  UnsupportedRevisionError,
} from "@mcp-codegen/runtime";
import {
  asProtocolError,
  ErrorCode,
  invalidParams,
  isOwnError,
  McpError,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPError,
} from "./errors.js";

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

/** The names of capabilities in the SDK's messages. Other capabilities have the same names as in the protocol. */
const NOUNS: Readonly<Record<string, string>> = {
  "server.resources.subscribe": "resource subscriptions",
  "client.roots": "listing roots",
  "client.roots.listChanged": "roots list changed notifications",
  "client.elicitation.form": "form elicitation",
  "client.elicitation.url": "URL elicitation",
};

/**
 * Converts a runtime error to version 2. An `RpcError` becomes a {@link ProtocolError} of the matching class, and a
 * `LocalError` becomes an {@link SdkError} with the original error as its `cause`. Other errors are returned unchanged.
 */
export function sdkErrorOf(thrown: unknown): unknown {
  const error = unsent(thrown);
  if (error instanceof RpcError) return asProtocolError(error);
  if (isInvalidMessage(error)) return invalidParams(error.message);
  if (!(error instanceof LocalError)) return error;
  const code = /has no result after \d+ rounds of input$/.test(error.message)
    ? SdkErrorCode.InputRequiredRoundsExceeded
    : CODES[error.code];
  const message = textOf(error);
  const { status, statusText, detail } = error as HttpFailure;
  if (typeof status === "number") {
    const httpCode = HTTP_CODES[status] ?? CODES.HTTP;
    const data = { status, statusText: statusText ?? "", text: detail ?? "" };
    return new SdkHttpError(httpCode, message, data, { cause: error });
  }
  const data = error instanceof RequestTimeoutError ? { timeout: error.timeout } : undefined;
  return new SdkError(code, message, data, { cause: error });
}

/** Converts a runtime error to version 1. The result is an {@link McpError} if there is a code for the error. */
export function mcpErrorOf(thrown: unknown): unknown {
  const error = unsent(thrown);
  if (error instanceof RpcError) {
    return isOwnError(error) ? error : McpError.fromError(error.code, error.message, error.data);
  }
  if (isInvalidMessage(error)) return new McpError(ErrorCode.InvalidParams, error.message);
  if (!(error instanceof LocalError)) return error;
  const message = textOf(error);
  if (error instanceof RequestTimeoutError) {
    return new McpError(ErrorCode.RequestTimeout, message, { timeout: error.timeout });
  }
  if (error.code === "CONNECTION_CLOSED") return new McpError(ErrorCode.ConnectionClosed, message);
  if (error.code === "HTTP") {
    return new StreamableHTTPError((error as HttpFailure).status, message, { cause: error });
  }
  return message === error.message ? error : new Error(message, { cause: error });
}

/**
 * Converts an error like {@link sdkErrorOf}, with one exception: if the runtime did not send a request because the
 * client lacks a capability, returns the error with which the client would have refused it.
 */
export function refusalOf(thrown: unknown): unknown {
  const error = unsent(thrown);
  if (!(error instanceof CapabilityError) || !error.capability?.startsWith("client.")) {
    return sdkErrorOf(error);
  }
  const mode = /^client\.elicitation\.(form|url)$/.exec(error.capability)?.[1];
  if (mode === undefined && /^client\.\w+$/.test(error.capability)) {
    return new ProtocolError(ProtocolErrorCode.MethodNotFound, "Method not found");
  }
  if (mode === undefined) return sdkErrorOf(error);
  const text = `Client does not support ${mode === "url" ? "URL" : mode}-mode elicitation requests`;
  return invalidParams(text);
}

/**
 * Converts an error for `onerror`. The error has the SDK's message in the cases where programs compare that message.
 */
export function reportOf(error: Error): Error {
  const [, id] =
    /^An answer has the id (".*"), which belongs to no request$/.exec(error.message) ?? [];
  const { code, method = "" } = error as { code?: unknown; method?: string };
  const isHandlers = code === "HANDLER" && method.startsWith("notifications/");
  if (isHandlers || /^notifications\/\S+: /.test(error.message)) {
    const text = `Uncaught error in notification handler: ${error.message}`;
    return new Error(text, { cause: error });
  }
  if (id === undefined) return error;
  return new Error(`Received a response for an unknown message ID: ${id}`, { cause: error });
}

interface HttpFailure {
  readonly status?: number;
  readonly statusText?: string;
  readonly detail?: string;
}

/** Returns a local error's message: the SDK's in the cases where programs compare messages. */
function textOf(error: LocalError): string {
  const { code, message } = error;
  switch (code) {
    case "REQUEST_TIMEOUT":
      return "Request timed out";
    case "CONNECTION_CLOSED":
      return "Connection closed";
    case "UNSUPPORTED_REVISION": {
      const [supported] = (error as UnsupportedRevisionError).supported;
      return supported === undefined
        ? message
        : `Server's protocol version is not supported: ${supported} (${message})`;
    }
    case "CAPABILITY":
      return capabilityText(error as CapabilityError);
    case "HTTP":
      return httpText(error);
    default:
      return message;
  }
}

function capabilityText({ capability, message }: CapabilityError): string {
  const [, method] = /^(\S+) was not sent: it needs/.exec(message) ?? [];
  const [side, name = ""] = capability?.split(".") ?? [];
  if (side === undefined || method === undefined) return message;
  if (method === "elicitation/create") {
    const mode = capability!.endsWith(".url") ? "url" : "form";
    return `Client does not support ${mode} elicitation.`;
  }
  if (capability === "client.sampling.tools") {
    return "Client does not support sampling tools capability.";
  }
  const noun = NOUNS[capability!] ?? name;
  const owner = side === "server" ? "Server" : "Client";
  return `${owner} does not support ${noun} (required for ${method})`;
}

function httpText(error: LocalError): string {
  const { status, statusText = "", detail = "" } = error as HttpFailure;
  if (status === undefined) return error.message;
  const [, method] = /^(GET|POST|DELETE) /.exec(error.message) ?? [];
  if (method === "GET") return `Failed to open SSE stream: ${statusText}`;
  if (method === "DELETE") return `Failed to terminate session: ${statusText}`;
  return method === undefined ? error.message : `Error POSTing to endpoint: ${detail}`;
}

/**
 * Returns the original error for a message that was not sent. Handlers receive such an error as a `ToolError` with
 * text for the model.
 */
function unsent(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== "ToolError") return error;
  const { message } = error;
  const [, capability] = / was not sent: it needs the capability (\S+), which/.exec(message) ?? [];
  if (capability !== undefined) return new CapabilityError(message, capability);
  return / was not sent: /.test(message) ? new TypeError(message) : error;
}

/**
 * True if the error is about an unknown log level, or about a message that the runtime did not send because its
 * parameters are invalid.
 */
function isInvalidMessage(error: unknown): error is TypeError {
  return error instanceof TypeError && /^\S+ was not sent: |is not a log level/.test(error.message);
}
