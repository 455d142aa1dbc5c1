/** An HTTP request of version 1 has failed. */
export class StreamableHTTPError extends Error {
  override readonly name: string = "StreamableHTTPError";
  /** Status of the response; undefined when there was none. */
  readonly code: number | undefined;

  constructor(code: number | undefined, message: string | undefined, options?: ErrorOptions) {
    super(`Streamable HTTP error: ${message}`, options);
    this.code = code;
  }
}
