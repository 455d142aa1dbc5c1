/** One reason why a value is not of a type. */
export interface Issue {
  /** JSON Pointer (RFC 6901) to the offending value; empty for the value itself. */
  readonly path: string;
  /** Expected type: `string`, `integer`, `"user" | "assistant"`. */
  readonly expected: string;
  /** Actual JSON type, or the value itself when that is short; `nothing` for a missing member. */
  readonly received: string;
}

/**
 * List to which a validator adds its issues. Without one it stops at the first issue and allocates
 * nothing.
 */
export type Trace = Issue[];

/**
 * Tells whether a value is a `T`. Never changes the value, and throws only what a getter of the value throws:
 * values that come from `JSON.parse` have none. With a `trace`, its issues are appended to it, 100 at most.
 */
export type Validator<T = unknown> = (value: unknown, trace?: Trace) => value is T;
