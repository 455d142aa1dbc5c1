import { ConnectionClosedError, LocalError } from "../../wire/index.js";

/** Details of a failed HTTP request. */
export interface HttpFailure {
  /** Status of the response; absent if there was no response. */
  readonly status?: number;
  /** Reason phrase of the response. */
  readonly statusText?: string;
  /** The start of the response body. */
  readonly detail?: string;
  /** Code of the JSON-RPC error in the response body. */
  readonly rpcCode?: number;
  /** Milliseconds after which the server accepts the request again. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/** Failure of an HTTP request. */
export class HttpError extends LocalError {
  static override readonly errorName: string = "HttpError";
  readonly code = "HTTP";
  /** Status of the response; undefined if there was no response. */
  readonly status: number | undefined;
  /** Reason phrase of the response; HTTP/2 has none. */
  readonly statusText: string | undefined;
  /** The start of the response body, for debugging only: the server chooses the text. */
  readonly detail: string | undefined;
  /** Code of the JSON-RPC error in the response body, if there is one. */
  readonly rpcCode: number | undefined;
  /** Milliseconds after which the server accepts the request again (`Retry-After`), if the response has it. */
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

/** Error for a server that requires authentication (401) or further permissions (403 with a challenge). */
export class AuthorizationError extends HttpError {
  static override readonly errorName: string = "AuthorizationError";
  /** The `WWW-Authenticate` header; a 401 may lack it. */
  readonly challenge: string | undefined;

  constructor(message: string, challenge: string | undefined, failure: HttpFailure) {
    super(message, failure);
    this.challenge = challenge;
  }
}

/** Error for a redirect that is not followed, for example because another origin would receive the credentials. */
export class RedirectError extends HttpError {
  static override readonly errorName: string = "RedirectError";
  /** Target of the redirect, if it is known. */
  readonly location: string | undefined;

  constructor(message: string, location: string | undefined, failure: HttpFailure) {
    super(message, failure);
    this.location = location;
  }
}

/** Error for a response whose stream ended before the response was complete, and could not be resumed. */
export class StreamEndedError extends HttpError {
  static override readonly errorName: string = "StreamEndedError";
}

/** Error for a session that the server has ended, together with its requests in flight. */
export class SessionExpiredError extends ConnectionClosedError {
  static override readonly errorName: string = "SessionExpiredError";
}

export function isTransient(error: unknown): boolean {
  return error instanceof HttpError && isTransientStatus(error.status);
}

/** True for a status that may be temporary. No response also counts, because servers restart and networks fail. */
export function isTransientStatus(status: number | undefined): boolean {
  if (status === undefined || status === 408 || status === 429) return true;
  return status >= 500 && status !== 501 && status !== 505;
}
