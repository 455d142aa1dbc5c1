/** Reason why a {@link RedisError} was thrown. */
export type RedisErrorCode =
  /** There is no connection, and none came within the time: nothing was asked for. */
  | "unreachable"
  /** No reply came within the time, or the connection was lost: what was asked for may have been done. */
  | "unanswered"
  /** Redis has answered with an error, such as one for being out of memory: nothing was changed. */
  | "refused";

/** Redis did not do what it was asked for. */
export class RedisError extends Error {
  override readonly name = "RedisError";
  readonly code: RedisErrorCode;

  constructor(code: RedisErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
