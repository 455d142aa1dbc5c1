/** Reason why a {@link RedisError} was thrown. */
export type RedisErrorCode =
  /** There is no connection, and none came within the time. */
  | "unreachable"
  /** No reply came within the time. What was asked for may have been done. */
  | "timeout"
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
