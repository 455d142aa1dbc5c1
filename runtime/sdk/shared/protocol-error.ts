import { RpcError } from "@mcp-codegen/runtime";
import { ProtocolErrorCode } from "./error-codes.js";
import type { ClientCapabilities, ElicitRequestURLParams } from "./message-types.js";

type ErrorClass<Instance> = abstract new (...args: never[]) => Instance;

/**
 * An error that travels in a JSON-RPC message: what a handler throws, the peer receives; what the peer answered, a request
 * rejects with. Every `RpcError` is an instance of it.
 */
export class ProtocolError extends RpcError {
  override readonly name: string = "ProtocolError";

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isErrorOf(this, value);
  }

  /** True when the value is an instance of this class. */
  static isInstance<Instance>(this: ErrorClass<Instance>, value: unknown): value is Instance {
    return value instanceof this;
  }

  /** Error of the class that belongs to a code and the shape of its data. */
  static fromError(code: number, message: string, data?: unknown): ProtocolError {
    return knownError(code, message, data) ?? new ProtocolError(code, message, data);
  }
}

/** {@link ProtocolError} of version 1: its message begins with the code. */
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

/** There is no resource with this URI. */
export class ResourceNotFoundError extends ProtocolError {
  constructor(uri: string, message = `Resource not found: ${uri}`) {
    super(ProtocolErrorCode.InvalidParams, message, { uri });
  }

  get uri(): string {
    return (this.data as { uri: string }).uri;
  }
}

/** The user has to open pages first. */
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

/** Data of an {@link UnsupportedProtocolVersionError}. */
export interface UnsupportedProtocolVersionErrorData {
  supported: string[];
  requested: string;
}

/** The receiver does not serve the revision that a request names. */
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

/** Data of a {@link MissingRequiredClientCapabilityError}. */
export interface MissingRequiredClientCapabilityErrorData {
  /** Only those that are missing. */
  requiredCapabilities: ClientCapabilities;
}

/** The server needs capabilities that the client has not declared. */
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

/** The two general classes stand for all errors that travel, the others for their own instances. */
function isErrorOf(target: object, value: unknown): boolean {
  const isGeneral = target === ProtocolError || target === McpError;
  return isGeneral
    ? value instanceof RpcError
    : Function.prototype[Symbol.hasInstance].call(target, value);
}

/** Error of the class that belongs to a code and the shape of its data, if there is such a class. */
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
