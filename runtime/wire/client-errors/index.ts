import { LifecycleError, LocalError } from "../errors.js";

/** Indicates that the server requires a revision that the client does not support. The connection was closed. */
export class UnsupportedRevisionError extends LifecycleError {
  static override readonly errorName: string = "UnsupportedRevisionError";
  override readonly code = "UNSUPPORTED_REVISION";
  readonly offered: readonly string[];
  /** The revisions that the server named: the one that it chose, or all that it supports. Empty if it named none. */
  readonly supported: readonly string[];

  /**
   * Creates the error.
   *
   * @param received - the revision that the server chose, or all that it supports
   */
  constructor(offered: readonly string[], received: string | readonly string[]) {
    const supported = typeof received === "string" ? [received] : received;
    const [ours, theirs] = [offered.join(", "), supported.join(", ")];
    super(
      theirs === ""
        ? `The server does not support ${ours}, and does not state what it supports`
        : `The server supports ${theirs}, this client ${ours}: use a client of ${theirs}`,
    );
    this.offered = offered;
    this.supported = supported;
  }

  get received(): string {
    return this.supported.join(", ");
  }
}

/**
 * Indicates that a request was abandoned because the server first needs an answer that this side cannot provide. If a
 * handler failed, `cause` is its error.
 */
export class InputRefusedError extends LocalError {
  static override readonly errorName: string = "InputRefusedError";
  readonly code = "INPUT_REFUSED";
  /** The method of the server's request, such as `elicitation/create`. */
  readonly method: string;

  /**
   * Creates the error.
   *
   * @param request - the method of the abandoned request
   */
  constructor(request: string, method: string, problem: string, cause?: unknown) {
    const text = `${request} was abandoned, because the server's ${method} was not answered: ${problem}`;
    super(text, cause === undefined ? undefined : { cause });
    this.method = method;
  }
}
