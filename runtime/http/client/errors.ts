import { ConnectionClosedError, LocalError } from "../../wire/index.js";

/** Facts about a failed HTTP request. */
export interface HttpFailure {
  /** Status of the response; absent when there was none. */
  readonly status?: number;
  /** The start of what the server said about it, in its words. */
  readonly detail?: string;
  /** Code of the JSON-RPC error that the response has as its body. */
  readonly rpcCode?: number;
  /** Milliseconds after which the server wants to be asked again. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/** An HTTP request did not bring what it was sent for. */
export class HttpError extends LocalError {
  override readonly name: string = "HttpError";
  readonly code = "HTTP";
  /** Status of the response; undefined when there was none. */
  readonly status: number | undefined;
  /** The start of what the server said about it: text to show to nobody but people who debug. */
  readonly detail: string | undefined;
  /** Code of the JSON-RPC error that the response has as its body, if it has one. */
  readonly rpcCode: number | undefined;
  /** Milliseconds after which the server wants to be asked again, if it says so (`Retry-After`). */
  readonly retryAfter: number | undefined;

  constructor(message: string, { status, detail, rpcCode, retryAfter, cause }: HttpFailure = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.detail = detail;
    this.rpcCode = rpcCode;
    this.retryAfter = retryAfter;
  }
}

/** The server wants to know who is asking (401), or that they may do this (403 with a challenge). */
export class AuthorizationError extends HttpError {
  override readonly name: string = "AuthorizationError";
  /** The `WWW-Authenticate` header; a 401 may lack it. */
  readonly challenge: string | undefined;

  constructor(message: string, challenge: string | undefined, failure: HttpFailure) {
    super(message, failure);
    this.challenge = challenge;
  }
}

/** The server points to a place that is not followed: another origin would get what is meant for this one. */
export class RedirectError extends HttpError {
  override readonly name: string = "RedirectError";
  /** Target of the redirect; undefined where the platform hides it. */
  readonly location: string | undefined;

  constructor(message: string, location: string | undefined, failure: HttpFailure) {
    super(message, failure);
    this.location = location;
  }
}

/** The stream that was to bring an answer ended without it, and could not be resumed. */
export class StreamEndedError extends HttpError {
  override readonly name: string = "StreamEndedError";
}

/** The server has ended the session, and with it everything that was under way in it. */
export class SessionExpiredError extends ConnectionClosedError {
  override readonly name: string = "SessionExpiredError";
}

/** True when the same request may well succeed a little later. */
export function isTransient(error: unknown): boolean {
  return error instanceof HttpError && isTransientStatus(error.status);
}

/** No response at all counts: servers restart, and networks fail. */
export function isTransientStatus(status: number | undefined): boolean {
  if (status === undefined || status === 408 || status === 429) return true;
  return status >= 500 && status !== 501 && status !== 505;
}
