import {
  type ErrorObject,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  type RequestId,
} from "./messages/jsonrpc.js";
import type { Issue } from "./validation/validator.js";

/**
 * A failure that travels: thrown by a handler, the peer receives it as it is; received from the peer, a
 * request rejects with it. All that is local has a {@link LocalError} class instead, so that the two
 * are never confused.
 */
export class RpcError extends Error {
  override readonly name: string = "RpcError";
  /** An integer; codes of your own lie outside -32768…-32000, which JSON-RPC and MCP reserve. */
  readonly code: number;
  /** Any JSON value; left out of the message when `undefined`. */
  readonly data: unknown;

  /** @throws TypeError when `code` is not an integer. */
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    if (!Number.isSafeInteger(code))
      throw new TypeError(`An error code is an integer, not ${code}`);
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
 * The sender of a request lacks scopes that the request needs. Over Streamable HTTP it is answered with status 403, or
 * 401 where the sender is unknown, and a challenge that names the scopes (RFC 6750, section 3.1).
 */
export class InsufficientScopeError extends RpcError {
  override readonly name = "InsufficientScopeError";
  /** All scopes that the request needs, those that the sender has included. */
  readonly scopes: readonly string[];

  /** @param scopes - all that the request needs */
  constructor(scopes: readonly string[]) {
    super(INVALID_REQUEST, `Insufficient scope: this needs ${scopes.join(" ")}`);
    this.scopes = scopes;
  }
}

/**
 * Something that a request needs cannot be reached now; nothing has been done. Over Streamable HTTP it is answered with
 * status 503 and `Retry-After`, as long as nothing of the answer was sent; clients may repeat it then.
 */
export class UnavailableError extends RpcError {
  override readonly name = "UnavailableError";
  /** Seconds after which it may be there again. */
  readonly retryAfter: number;

  /**
   * @param what - for the peer: `the store of tasks`
   * @param cause - for `onerror` only
   */
  constructor(what: string, cause?: unknown, retryAfter = 2) {
    super(INTERNAL_ERROR, `Cannot be reached now: ${what}; try again later`);
    this.cause = cause;
    this.retryAfter = retryAfter;
  }
}

/** A failure on this side of the connection. Its `code` is a string, and it never reaches the peer. */
export abstract class LocalError extends Error {
  abstract readonly code: LocalErrorCode;
}

/** The connection ended, or was never open, so that no answer can come. */
export class ConnectionClosedError extends LocalError {
  override readonly name: string = "ConnectionClosedError";
  readonly code = "CONNECTION_CLOSED";
}

/** This instance of a server has let go of a session, which can go on at another one. */
export class SessionMovedError extends ConnectionClosedError {
  override readonly name: string = "SessionMovedError";

  constructor() {
    super("This instance has let go of the session, which can go on at another one");
  }
}

/** A transport carries one connection, and this one has done so already. */
export class UsedTransportError extends ConnectionClosedError {
  override readonly name: string = "UsedTransportError";

  constructor() {
    super("This transport was used before: make a new one");
  }
}

/** No answer came in time; the peer was asked to stop. */
export class RequestTimeoutError extends LocalError {
  override readonly name: string = "RequestTimeoutError";
  readonly code = "REQUEST_TIMEOUT";
  readonly method: string;
  /** Milliseconds that were waited. */
  readonly timeout: number;

  /**
   * @param what - text for what did not happen
   * @param option - name of the option that sets the time
   */
  constructor(method: string, timeout: number, what = "no answer came", option?: string) {
    const change = option === undefined ? "" : ` (option ${option})`;
    super(`${method}: ${what} within ${timeout} ms${change}`);
    this.method = method;
    this.timeout = timeout;
  }
}

/** Reason of a handler's `signal` when the peer cancelled the request. */
export class RequestCancelledError extends LocalError {
  override readonly name: string = "RequestCancelledError";
  readonly code = "REQUEST_CANCELLED";
  readonly id: RequestId;

  constructor(id: RequestId, reason?: string) {
    super(
      reason === undefined ? "The peer cancelled the request" : `The peer cancelled: ${reason}`,
    );
    this.id = id;
  }
}

/**
 * Reason of a handler's `signal` when the client has to answer questions first: the handler is called anew with the
 * answers, and nobody waits for this call any more (MCP: multi round trips).
 */
export class SuspendedError extends LocalError {
  override readonly name: string = "SuspendedError";
  readonly code = "SUSPENDED";

  constructor() {
    super("The client was asked: the handler is called anew when it has answered");
  }
}

/** The peer sent something that its revision does not allow. */
export class InvalidMessageError extends LocalError {
  override readonly name: string = "InvalidMessageError";
  readonly code = "INVALID_MESSAGE";
  /** Places where the value departs from its type; empty when the message has no type at all. */
  readonly issues: readonly Issue[];

  constructor(message: string, issues: readonly Issue[] = []) {
    super(message);
    this.issues = issues;
  }
}

/** Nothing was sent: one of the two sides has not declared what the message needs. */
export class CapabilityError extends LocalError {
  override readonly name: string = "CapabilityError";
  readonly code = "CAPABILITY";
  /** Path into the capabilities of the side it starts with (`client.sampling.tools`), where there is one. */
  readonly capability: string | undefined;

  constructor(message: string, capability?: string) {
    super(message);
    this.capability = capability;
  }
}

/** Nothing was sent: it is too early, too late, or the conversation cannot be opened. */
export class LifecycleError extends LocalError {
  override readonly name: string = "LifecycleError";
  readonly code: "LIFECYCLE" | "UNSUPPORTED_REVISION" = "LIFECYCLE";
}

/** The server wants a revision that the client does not have; the connection was closed. */
export class UnsupportedRevisionError extends LifecycleError {
  override readonly name: string = "UnsupportedRevisionError";
  override readonly code = "UNSUPPORTED_REVISION";
  readonly offered: readonly string[];
  /** Revisions that the server supports, as it reported them. */
  readonly supported: readonly string[];

  /** @param received - one revision that the server decided on, or all that it has */
  constructor(offered: readonly string[], received: string | readonly string[]) {
    const supported = typeof received === "string" ? [received] : received;
    const [ours, theirs] = [offered.join(", "), supported.join(", ")];
    super(
      theirs === ""
        ? `The server does not speak ${ours}, and does not say what it speaks`
        : `The server speaks ${theirs}, this client ${ours}: use a client of ${theirs}`,
    );
    this.offered = offered;
    this.supported = supported;
  }

  get received(): string {
    return this.supported.join(", ");
  }
}

/** A limit on this side was reached; see the `limits` option. */
export class OverloadError extends LocalError {
  override readonly name: string = "OverloadError";
  readonly code = "OVERLOAD";
}

/**
 * A request was given up: the server needs an answer first, and this side has none to give. Its `cause` is what the
 * handler threw, if there is a handler.
 */
export class InputRefusedError extends LocalError {
  override readonly name: string = "InputRefusedError";
  readonly code = "INPUT_REFUSED";
  /** Method of the server's request, such as `elicitation/create`. */
  readonly method: string;

  /** @param request - method of the request that was given up */
  constructor(request: string, method: string, problem: string, cause?: unknown) {
    const text = `${request} was given up, as the server's ${method} was not answered: ${problem}`;
    super(text, cause === undefined ? undefined : { cause });
    this.method = method;
  }
}

/** Reported to `onerror` only: a handler failed, and its peer learnt no more than "Internal error". */
export class HandlerError extends LocalError {
  override readonly name: string = "HandlerError";
  readonly code = "HANDLER";
  readonly method: string;

  constructor(method: string, problem: string, cause?: unknown) {
    super(`The handler of ${method} ${problem}`, cause === undefined ? undefined : { cause });
    this.method = method;
  }
}

/** A thrown value in words, without trusting it to be an `Error`, or to be printable. */
export function describeThrown(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } catch {
    return "something that cannot be shown was thrown";
  }
}

const received = new WeakSet<RpcError>();

/** An error that a peer has answered with. */
export function receivedError(code: number, message: string, data: unknown): RpcError {
  const error = new RpcError(code, message, data);
  received.add(error);
  return error;
}

/** True when a peer sent the error; false when this side created it as an answer. */
export function wasReceived(error: RpcError): boolean {
  return received.has(error);
}
