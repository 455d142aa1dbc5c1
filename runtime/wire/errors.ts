import {
  type ErrorObject,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  type RequestId,
} from "./messages/jsonrpc.js";
import type { Issue } from "./validation/validator.js";

/**
 * Error class whose instances `instanceof` recognizes if they come from another copy of the package, too: a project has
 * two copies if it installs a package and its runtime from different folders.
 */
export abstract class SharedError extends Error {
  /** Name by which all copies of the package know the class; a class without its own one is known to its copy only. */
  static readonly errorName: string = "SharedError";
  override readonly name: string = (this.constructor as typeof SharedError).errorName;

  static override [Symbol.hasInstance](value: unknown): boolean {
    // A class that inherits a name is known by its ancestor that has it.
    const name = Object.hasOwn(this, "errorName") && this.errorName;
    let one = (value as object | undefined | null)?.constructor as typeof SharedError | null;
    while (one && one !== this && one.errorName !== name) one = Object.getPrototypeOf(one);
    return Boolean(one);
  }
}

/**
 * Error that travels: if a handler throws it, the peer receives it unchanged; if the peer sends it,
 * the request rejects with it. Local errors have a {@link LocalError} class instead, so that the
 * two are never confused.
 */
export class RpcError extends SharedError {
  static override readonly errorName: string = "RpcError";
  /** Integer; choose your own codes outside -32768…-32000, which JSON-RPC and MCP reserve. */
  readonly code: number;
  /** Any JSON value; omitted from the message if undefined. */
  readonly data: unknown;

  /** @throws TypeError if `code` is not an integer */
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
 * The sender of a request lacks scopes that the request needs. Over Streamable HTTP it is answered
 * with status 403, or 401 if the sender is not authenticated, and a challenge that names the scopes
 * (RFC 6750, section 3.1).
 */
export class InsufficientScopeError extends RpcError {
  static override readonly errorName: string = "InsufficientScopeError";
  /** All scopes that the request needs, including those that the sender has. */
  readonly scopes: readonly string[];

  /** @param scopes - all that the request needs */
  constructor(scopes: readonly string[]) {
    super(INVALID_REQUEST, `Insufficient scope: this request needs ${scopes.join(" ")}`);
    this.scopes = scopes;
  }
}

/**
 * A dependency of a request is unavailable; nothing has been done. Over Streamable HTTP the
 * response has status 503 and `Retry-After`, unless part of it has already been sent; clients may
 * then repeat the request.
 */
export class UnavailableError extends RpcError {
  static override readonly errorName: string = "UnavailableError";
  /** Seconds after which it may be available again. */
  readonly retryAfter: number;

  /**
   * @param what - for the peer: `the store of tasks`
   * @param cause - for `onerror` only
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

/** The connection ended, or was never open, so no response can arrive. */
export class ConnectionClosedError extends LocalError {
  static override readonly errorName: string = "ConnectionClosedError";
  readonly code = "CONNECTION_CLOSED";
}

/** This instance of a server has released a session, which can continue at another one. */
export class SessionMovedError extends ConnectionClosedError {
  static override readonly errorName: string = "SessionMovedError";

  constructor() {
    super("This instance has released the session, which can continue at another instance");
  }
}

/** A transport carries only one connection, and this one has already been used. */
export class UsedTransportError extends ConnectionClosedError {
  static override readonly errorName: string = "UsedTransportError";

  constructor() {
    super("This transport was used before: create a new one");
  }
}

/** No response arrived in time; the peer was requested to stop. */
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

/** The peer sent something that its revision does not allow. */
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

/** Nothing was sent: one of the two sides has not declared a capability that the message needs. */
export class CapabilityError extends LocalError {
  static override readonly errorName: string = "CapabilityError";
  readonly code = "CAPABILITY";
  /** Path of the capability, beginning with the side (`client.sampling.tools`), if there is one. */
  readonly capability: string | undefined;

  constructor(message: string, capability?: string) {
    super(message);
    this.capability = capability;
  }
}

/** Nothing was sent: it is too early, too late, or the conversation cannot be opened. */
export class LifecycleError extends LocalError {
  static override readonly errorName: string = "LifecycleError";
  readonly code: "LIFECYCLE" | "UNSUPPORTED_REVISION" = "LIFECYCLE";
}

/** A limit on this side was reached; see the `limits` option. */
export class OverloadError extends LocalError {
  static override readonly errorName: string = "OverloadError";
  readonly code = "OVERLOAD";
}

/** Reported to `onerror` only: a handler failed, and its peer only received "Internal error". */
export class HandlerError extends LocalError {
  static override readonly errorName: string = "HandlerError";
  readonly code = "HANDLER";
  readonly method: string;

  constructor(method: string, problem: string, cause?: unknown) {
    super(`The handler of ${method} ${problem}`, cause === undefined ? undefined : { cause });
    this.method = method;
  }
}

/** Describes a thrown value, which need not be an `Error`, or printable. */
export function describeThrown(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } catch {
    return "a value was thrown that cannot be shown";
  }
}

/** Own property of an error that a peer sent. */
const RECEIVED = "mcp-codegen:received";

/** Creates the error for an error response of the peer. */
export function receivedError(code: number, message: string, data: unknown): RpcError {
  return Object.defineProperty(new RpcError(code, message, data), RECEIVED, { value: true });
}

/** True if a peer sent the error; false if this side created it as a response. */
export function wasReceived(error: RpcError): boolean {
  return Object.hasOwn(error, RECEIVED);
}
