import {
  type ErrorObject,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  type RequestId,
} from "./messages/jsonrpc.js";
import type { Issue } from "./validation/validator.js";

/**
 * An error class whose instances `instanceof` recognizes even if they come from another copy of the package. A project
 * has two copies if it installs a package and its runtime in different folders.
 */
export abstract class SharedError extends Error {
  /**
   * The name by which all copies of the package recognize the class. A class that does not declare its own name is
   * recognized only within its own copy.
   */
  static readonly errorName: string = "SharedError";
  override readonly name: string = (this.constructor as typeof SharedError).errorName;

  static override [Symbol.hasInstance](value: unknown): boolean {
    // A class that merely inherits its name must not match instances of its ancestor.
    const name = Object.hasOwn(this, "errorName") && this.errorName;
    let one = (value as object | undefined | null)?.constructor as typeof SharedError | null;
    while (one && one !== this && one.errorName !== name) one = Object.getPrototypeOf(one);
    return Boolean(one);
  }
}

/**
 * An error that peers send to each other. If a handler throws it, the peer receives it with a code that the revision
 * permits. If the peer sends it, the request rejects with it. Local errors have a {@link LocalError} class instead, so
 * the two are never confused.
 */
export class RpcError extends SharedError {
  static override readonly errorName: string = "RpcError";
  /** An integer. Choose your own codes outside -32768…-32000, a range that JSON-RPC and MCP reserve. */
  readonly code: number;
  /** Any JSON value. It is omitted from the message if undefined. */
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
 * Indicates that a sender lacks scopes that its request needs. Over Streamable HTTP, the request is answered with
 * status 403, or 401 if the sender is not authenticated, and with a challenge that names the scopes (RFC 6750, section
 * 3.1). This does not apply if the same batch contains other requests or if the response has already begun.
 */
export class InsufficientScopeError extends RpcError {
  static override readonly errorName: string = "InsufficientScopeError";
  /** All scopes that the request needs, including those that the sender already has. */
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
 * Indicates that a request had no effect because something that it depends on is unavailable. Over Streamable HTTP, the
 * response has status 503 and `Retry-After`, which permits clients to repeat the request. This does not apply if the
 * same batch contains other requests or if the response has already begun.
 */
export class UnavailableError extends RpcError {
  static override readonly errorName: string = "UnavailableError";
  /** The number of seconds after which the dependency may be available again. */
  readonly retryAfter: number;

  /**
   * Creates the error.
   *
   * @param what - the dependency's name in the message to the peer, such as `the store of tasks`
   * @param cause - reported only to `onerror`
   */
  constructor(what: string, cause?: unknown, retryAfter = 2) {
    super(INTERNAL_ERROR, `Currently unreachable: ${what}; try again later`);
    this.cause = cause;
    this.retryAfter = retryAfter;
  }
}

/** An error on this side of the connection. Its `code` is a string, and it is never sent to the peer. */
export abstract class LocalError extends SharedError {
  static override readonly errorName: string = "LocalError";
  abstract readonly code: LocalErrorCode;
}

/** Indicates that a connection has ended, was never open, or could not be opened. */
export class ConnectionClosedError extends LocalError {
  static override readonly errorName: string = "ConnectionClosedError";
  readonly code = "CONNECTION_CLOSED";
}

/** Indicates that this instance of a server has released a session, which can continue at another instance. */
export class SessionMovedError extends ConnectionClosedError {
  static override readonly errorName: string = "SessionMovedError";

  constructor() {
    super("This instance has released the session, which can continue at another instance");
  }
}

/** Indicates that a transport has already been used. Each transport carries only one connection. */
export class UsedTransportError extends ConnectionClosedError {
  static override readonly errorName: string = "UsedTransportError";

  constructor() {
    super("This transport was used before: create a new one");
  }
}

/**
 * Indicates that the response to a request did not arrive in time. The request is also cancelled at the peer if the
 * protocol permits this. A handler that exceeds its time limit receives this error as the reason of its `signal`.
 */
export class RequestTimeoutError extends LocalError {
  static override readonly errorName: string = "RequestTimeoutError";
  readonly code = "REQUEST_TIMEOUT";
  readonly method: string;
  /** Timeout in milliseconds. */
  readonly timeout: number;

  /**
   * @param what - text that describes what did not happen
   * @param option - the name of the option that sets the timeout
   */
  constructor(method: string, timeout: number, what = "no response arrived", option?: string) {
    const change = option === undefined ? "" : ` (option ${option})`;
    super(`${method}: ${what} within ${timeout} ms${change}`);
    this.method = method;
    this.timeout = timeout;
  }
}

/** The abort reason of a handler's `signal` when the peer has cancelled the request. */
export class RequestCancelledError extends LocalError {
  static override readonly errorName: string = "RequestCancelledError";
  readonly code = "REQUEST_CANCELLED";
  readonly id: RequestId;

  constructor(id: RequestId, reason?: string, what = "The peer cancelled the request") {
    super(reason === undefined ? what : `${what}: ${reason}`);
    this.id = id;
  }
}

/**
 * The abort reason of a handler's `signal` when the client has to answer questions first. The handler is called again
 * with the answers, and the result of the current call is no longer needed (MCP: multi round trips).
 */
export class SuspendedError extends LocalError {
  static override readonly errorName: string = "SuspendedError";
  readonly code = "SUSPENDED";

  constructor() {
    super("The client must provide input first: the handler runs again with its response");
  }
}

/** Indicates that received data is invalid, such as a message that its revision does not allow. */
export class InvalidMessageError extends LocalError {
  static override readonly errorName: string = "InvalidMessageError";
  readonly code = "INVALID_MESSAGE";
  /** The places where the value violates its type; empty if the message has no type. */
  readonly issues: readonly Issue[];

  constructor(message: string, issues: readonly Issue[] = []) {
    super(message);
    this.issues = issues;
  }
}

/**
 * Indicates that a message cannot be sent or handled. The reason is that the revision cannot express it, that the
 * conversation does not permit it, or that a capability that it needs is not declared.
 */
export class CapabilityError extends LocalError {
  static override readonly errorName: string = "CapabilityError";
  readonly code = "CAPABILITY";
  /**
   * The path of the missing capability, beginning with the side, as in `client.sampling.tools`. Undefined if the error
   * has another reason.
   */
  readonly capability: string | undefined;

  constructor(message: string, capability?: string) {
    super(message);
    this.capability = capability;
  }
}

/**
 * Indicates that a message was not sent because the state of the conversation does not permit it, or because no
 * conversation could be opened.
 */
export class LifecycleError extends LocalError {
  static override readonly errorName: string = "LifecycleError";
  readonly code: "LIFECYCLE" | "UNSUPPORTED_REVISION" = "LIFECYCLE";
}

/** Indicates that a limit set by this side was reached, such as one from the option `limits`. */
export class OverloadError extends LocalError {
  static override readonly errorName: string = "OverloadError";
  readonly code = "OVERLOAD";
}

/**
 * Indicates that a handler failed or behaved incorrectly. This error is only reported to `onerror`; the peer receives
 * no details.
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

/** Describes a thrown value, which need not be an `Error` or even be convertible to text. */
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
