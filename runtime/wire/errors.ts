import {
  type ErrorObject,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  type RequestId,
} from "./messages/jsonrpc.js";
import type { Issue } from "./validation/validator.js";

/**
 * Error class whose instances `instanceof` also recognizes if they come from another copy of the package. A project
 * has two copies if it installs a package and its runtime in different folders.
 */
export abstract class SharedError extends Error {
  /**
   * Name by which all copies of the package recognize the class. A class that does not declare a name of its own is
   * recognized only within its own copy.
   */
  static readonly errorName: string = "SharedError";
  override readonly name: string = (this.constructor as typeof SharedError).errorName;

  static override [Symbol.hasInstance](value: unknown): boolean {
    // A class that only inherits its name must not match instances of its ancestor.
    const name = Object.hasOwn(this, "errorName") && this.errorName;
    let one = (value as object | undefined | null)?.constructor as typeof SharedError | null;
    while (one && one !== this && one.errorName !== name) one = Object.getPrototypeOf(one);
    return Boolean(one);
  }
}

/**
 * Error that peers send to each other. If a handler throws it, the peer receives it, with a code that the revision
 * permits; if the peer sends it, the request rejects with it. Local errors have a {@link LocalError} class instead,
 * so that the two are never confused.
 */
export class RpcError extends SharedError {
  static override readonly errorName: string = "RpcError";
  /** Integer; choose your own codes outside -32768…-32000, which JSON-RPC and MCP reserve. */
  readonly code: number;
  /** Any JSON value; omitted from the message if undefined. */
  readonly data: unknown;

  /**
   * Creates the error.
   * @throws TypeError if `code` is not an integer
   */
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    if (!Number.isSafeInteger(code))
      throw new TypeError(`An error code must be an integer, not ${code}`);
    this.code = code;
    this.data = data;
  }

  toJSON(): ErrorObject {
    const { code, message, data } = this;
    return data === undefined ? { code, message } : { code, message, data };
  }
}

export type LocalErrorCode =
  | "CONNECTION_CLOSED"
  | "REQUEST_TIMEOUT"
  | "REQUEST_CANCELLED"
  | "SUSPENDED"
  | "INVALID_MESSAGE"
  | "CAPABILITY"
  | "LIFECYCLE"
  | "UNSUPPORTED_REVISION"
  | "OVERLOAD"
  | "INPUT_REFUSED"
  | "HTTP"
  | "HANDLER";

/**
 * Error for a sender that lacks scopes that its request needs. Over Streamable HTTP, the request is answered with
 * status 403, or 401 if the sender is not authenticated, and a challenge that names the scopes (RFC 6750, section 3.1),
 * unless the same batch contains other requests or the response has already begun.
 */
export class InsufficientScopeError extends RpcError {
  static override readonly errorName: string = "InsufficientScopeError";
  /** All scopes that the request needs, including those that the sender has. */
  readonly scopes: readonly string[];

  /**
   * Creates the error.
   * @param scopes - all scopes that the request needs
   */
  constructor(scopes: readonly string[]) {
    super(INVALID_REQUEST, `Insufficient scope: this request needs ${scopes.join(" ")}`);
    this.scopes = scopes;
  }
}

/**
 * Error for a request that had no effect, because something that it depends on is unavailable. Over Streamable HTTP,
 * the response has status 503 and `Retry-After`, which permits clients to repeat the request, unless the same batch
 * contains other requests or the response has already begun.
 */
export class UnavailableError extends RpcError {
  static override readonly errorName: string = "UnavailableError";
  /** Seconds after which the dependency may be available again. */
  readonly retryAfter: number;

  /**
   * Creates the error.
   * @param what - name of the dependency in the message to the peer, such as `the store of tasks`
   * @param cause - reported to `onerror` only
   */
  constructor(what: string, cause?: unknown, retryAfter = 2) {
    super(INTERNAL_ERROR, `Currently unreachable: ${what}; try again later`);
    this.cause = cause;
    this.retryAfter = retryAfter;
  }
}

/**
 * Error on this side of the connection. Its `code` is a string, and it is never sent to the peer.
 */
export abstract class LocalError extends SharedError {
  static override readonly errorName: string = "LocalError";
  abstract readonly code: LocalErrorCode;
}

/** Error for a connection that has ended, was never open, or could not be opened. */
export class ConnectionClosedError extends LocalError {
  static override readonly errorName: string = "ConnectionClosedError";
  readonly code = "CONNECTION_CLOSED";
}

/**
 * Error for the end of a session at this instance of a server, which has released it; the session can continue at
 * another instance.
 */
export class SessionMovedError extends ConnectionClosedError {
  static override readonly errorName: string = "SessionMovedError";

  constructor() {
    super("This instance has released the session, which can continue at another instance");
  }
}

/** Error for a transport that has already been used; each transport carries only one connection. */
export class UsedTransportError extends ConnectionClosedError {
  static override readonly errorName: string = "UsedTransportError";

  constructor() {
    super("This transport was used before: create a new one");
  }
}

/**
 * Error for a request whose response did not arrive in time. The request is also cancelled at the peer, if the
 * protocol permits that. A handler that exceeds its time limit receives this error as the reason of its `signal`.
 */
export class RequestTimeoutError extends LocalError {
  static override readonly errorName: string = "RequestTimeoutError";
  readonly code = "REQUEST_TIMEOUT";
  readonly method: string;
  /** Timeout in milliseconds. */
  readonly timeout: number;

  /**
   * @param what - text that describes what did not happen
   * @param option - name of the option that sets the timeout
   */
  constructor(method: string, timeout: number, what = "no response arrived", option?: string) {
    const change = option === undefined ? "" : ` (option ${option})`;
    super(`${method}: ${what} within ${timeout} ms${change}`);
    this.method = method;
    this.timeout = timeout;
  }
}

/** Reason of a handler's `signal` when the peer cancelled the request. */
export class RequestCancelledError extends LocalError {
  static override readonly errorName: string = "RequestCancelledError";
  readonly code = "REQUEST_CANCELLED";
  readonly id: RequestId;

  constructor(id: RequestId, reason?: string) {
    super(`The peer cancelled${reason === undefined ? " the request" : `: ${reason}`}`);
    this.id = id;
  }
}

/**
 * Reason of a handler's `signal` when the client has to answer questions first: the handler is called again with the
 * answers, and the result of this call is no longer needed (MCP: multi round trips).
 */
export class SuspendedError extends LocalError {
  static override readonly errorName: string = "SuspendedError";
  readonly code = "SUSPENDED";

  constructor() {
    super("The client must provide input first: the handler runs again with its response");
  }
}

/** Error for received data that is invalid, such as a message that its revision does not allow. */
export class InvalidMessageError extends LocalError {
  static override readonly errorName: string = "InvalidMessageError";
  readonly code = "INVALID_MESSAGE";
  /** Places where the value violates its type; empty if the message has no type. */
  readonly issues: readonly Issue[];

  constructor(message: string, issues: readonly Issue[] = []) {
    super(message);
    this.issues = issues;
  }
}

/**
 * Error for a message that cannot be sent or handled, because the revision cannot express it or the conversation does
 * not permit it, or because a capability that it needs is not declared.
 */
export class CapabilityError extends LocalError {
  static override readonly errorName: string = "CapabilityError";
  readonly code = "CAPABILITY";
  /**
   * Path of the missing capability, beginning with the side: `client.sampling.tools`; undefined if the error has
   * another reason.
   */
  readonly capability: string | undefined;

  constructor(message: string, capability?: string) {
    super(message);
    this.capability = capability;
  }
}

/**
 * Error for a message that was not sent, because the state of the conversation does not permit it, or because no
 * conversation could be opened.
 */
export class LifecycleError extends LocalError {
  static override readonly errorName: string = "LifecycleError";
  readonly code: "LIFECYCLE" | "UNSUPPORTED_REVISION" = "LIFECYCLE";
}

/** Error for reaching a limit that this side sets, such as one of the option `limits`. */
export class OverloadError extends LocalError {
  static override readonly errorName: string = "OverloadError";
  readonly code = "OVERLOAD";
}

/**
 * Error for a handler that failed or behaved incorrectly. It is only reported to `onerror`; the peer receives no
 * details.
 */
export class HandlerError extends LocalError {
  static override readonly errorName: string = "HandlerError";
  readonly code = "HANDLER";
  readonly method: string;

  constructor(method: string, problem: string, cause?: unknown) {
    super(`The handler of ${method} ${problem}`, cause === undefined ? undefined : { cause });
    this.method = method;
  }
}

/** Describes a thrown value, which may be something other than an `Error`, and may not be convertible to text. */
export function describeThrown(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } catch {
    return "a value was thrown that cannot be shown";
  }
}

const RECEIVED = "mcp-codegen:received";

export function receivedError(code: number, message: string, data: unknown): RpcError {
  return Object.defineProperty(new RpcError(code, message, data), RECEIVED, { value: true });
}

/** True if a peer sent the error; false if this side created it as a response. */
export function wasReceived(error: RpcError): boolean {
  return Object.hasOwn(error, RECEIVED);
}
