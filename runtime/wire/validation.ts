/** A reason why a value is not of a type. */
export interface Issue {
  /** JSON Pointer (RFC 6901) to the offending value; empty for the value itself. */
  readonly path: string;
  /** Text for the type that is demanded there: `string`, `integer`, `"user" | "assistant"`. */
  readonly expected: string;
  /** JSON type of the value that is there, or the value itself when it is short; `nothing` for a missing member. */
  readonly received: string;
}

/** Issues that a validator collects; without a trace it stops at the first problem and allocates nothing. */
export type Trace = Issue[];

/**
 * True for a value that is a `T`. Never changes the value, and throws only what a getter of the value throws: values
 * that come from `JSON.parse` have none. Adds its issues to the `trace`, 100 at most. Members that the value or every
 * object inherits do not count; nested objects are read as `JSON.parse` makes them.
 */
export type Validator<T = unknown> = (value: unknown, trace?: Trace) => value is T;
