import { CapabilityError } from "@mcp-codegen/runtime";
import { ProtocolError, ProtocolErrorCode } from "../shared/index.js";

/** Cause of a failed call that the caller has aborted. */
export class Abort {
  /** True when the signal was aborted before the call. */
  readonly isEarly: boolean;
  readonly reason: unknown;

  constructor(isEarly: boolean, reason: unknown) {
    this.isEarly = isEarly;
    this.reason = reason;
  }
}

/** Errors of one call, told apart by what the caller has asked for. */
export class CallErrors {
  readonly #signal: AbortSignal | undefined;
  readonly #isEarly: boolean;
  readonly #isStrict: boolean;

  /** @param isStrict - false when a capability that the server lacks is reported as if the server had refused */
  constructor(signal: AbortSignal | undefined, isStrict: boolean) {
    this.#signal = signal;
    this.#isEarly = signal?.aborted === true;
    this.#isStrict = isStrict;
  }

  /** Error to convert for the caller, or an {@link Abort}. */
  of(error: unknown): unknown {
    if (this.#signal?.aborted && error === this.#signal.reason) {
      return new Abort(this.#isEarly, error);
    }
    if (this.#isStrict || !isUnoffered(error)) return error;
    return new ProtocolError(
      ProtocolErrorCode.MethodNotFound,
      `Method not found: ${error.message}`,
    );
  }
}

function isUnoffered(error: unknown): error is CapabilityError {
  return error instanceof CapabilityError && error.capability?.startsWith("server.") === true;
}
