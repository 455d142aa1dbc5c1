import { ConnectionClosedError, LocalError } from "../../wire/index.js";

/** Details of a failed HTTP request. */
export interface HttpFailure {
  /** The response status; absent if there was no response. */
  readonly status?: number;
  /** The reason phrase of the response. */
  readonly statusText?: string;
  /** The start of the response body. */
  readonly detail?: string;
  /** The code of the JSON-RPC error in the response body. */
  readonly rpcCode?: number;
  /** The number of milliseconds after which the server accepts the request again. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/** The failure of an HTTP request. */
export class HttpError extends LocalError {
  static override readonly errorName: string = "HttpError";
  readonly code = "HTTP";
  /** The response status; undefined if there was no response. */
  readonly status: number | undefined;
  /** The reason phrase of the response. HTTP/2 has none. */
  readonly statusText: string | undefined;
  /** The start of the response body, for debugging only: the server chooses the text. */
  readonly detail: string | undefined;
  /** The code of the JSON-RPC error in the response body, if there is one. */
  readonly rpcCode: number | undefined;
  /**
   * The number of milliseconds after which the server accepts the request again, if the response states it
   * (`Retry-After`).
   */
  readonly retryAfter: number | undefined;

  constructor(
    message: string,
    { status, statusText, detail, rpcCode, retryAfter, cause }: HttpFailure = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.statusText = statusText;
    this.detail = detail;
    this.rpcCode = rpcCode;
    this.retryAfter = retryAfter;
  }
}

/** The error thrown if a server requires authentication (401) or further permissions (403 with a challenge). */
export class AuthorizationError extends HttpError {
  static override readonly errorName: string = "AuthorizationError";
  /** The `WWW-Authenticate` header, which a 401 response may lack. */
  readonly challenge: string | undefined;

  constructor(message: string, challenge: string | undefined, failure: HttpFailure) {
    super(message, failure);
    this.challenge = challenge;
  }
}

/**
 * The error thrown for a redirect that is not followed, for example because another origin would receive the
 * credentials.
 */
export class RedirectError extends HttpError {
  static override readonly errorName: string = "RedirectError";
  /** The target of the redirect, if it is known. */
  readonly location: string | undefined;

  constructor(message: string, location: string | undefined, failure: HttpFailure) {
    super(message, failure);
    this.location = location;
  }
}

/** The error thrown if a stream ended before its response was complete and could not be resumed. */
export class StreamEndedError extends HttpError {
  static override readonly errorName: string = "StreamEndedError";
}

/** The error used when the server has ended a session, together with the session's requests in flight. */
export class SessionExpiredError extends ConnectionClosedError {
  static override readonly errorName: string = "SessionExpiredError";
}

export function isTransient(error: unknown): boolean {
  return error instanceof HttpError && isTransientStatus(error.status);
}

/**
 * Returns true if a status may be temporary. The lack of a response also counts, because servers restart and networks
 * fail.
 */
export function isTransientStatus(status: number | undefined): boolean {
  if (status === undefined || status === 408 || status === 429) return true;
  return status >= 500 && status !== 501 && status !== 505;
}
