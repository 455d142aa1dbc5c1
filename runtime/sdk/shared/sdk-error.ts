import type { SdkErrorCode } from "./error-codes.js";

type ErrorClass<Instance> = abstract new (...args: never[]) => Instance;

/** A failure on this side of the connection; it never travels. */
export class SdkError extends Error {
  override readonly name: string = "SdkError";
  readonly code: SdkErrorCode;
  readonly data?: unknown;

  /** True when the value is an instance of this class. */
  static isInstance<Instance>(this: ErrorClass<Instance>, value: unknown): value is Instance {
    return value instanceof this;
  }

  constructor(code: SdkErrorCode, message: string, data?: unknown, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.data = data;
  }
}

/** Data of an {@link SdkHttpError}. */
export interface SdkHttpErrorData {
  status: number;
  statusText?: string;
  [name: string]: unknown;
}

/** The server answered an HTTP request with a status that is no success. */
export class SdkHttpError extends SdkError {
  override readonly name: string = "SdkHttpError";
  override readonly data: SdkHttpErrorData;

  constructor(code: SdkErrorCode, message: string, data: SdkHttpErrorData, options?: ErrorOptions) {
    super(code, message, data, options);
    this.data = data;
  }

  get status(): number {
    return this.data.status;
  }

  get statusText(): string | undefined {
    return this.data.statusText;
  }
}
