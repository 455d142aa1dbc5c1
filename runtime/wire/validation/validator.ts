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

/**
 * Descriptions of the types of one module of validators, by name, in the notation that `parseShape` reads. A
 * validator stands for a type that another module describes.
 */
export type Shapes = Readonly<Record<string, string | Validator>>;

/** Adds descriptions to those of a table. */
export function addShapes(shapes: Shapes, more: Shapes): Shapes {
  return { ...shapes, ...more };
}

/**
 * Test of what the structure of a value does not show; true for a value that it says nothing about. Adds its issues to
 * the trace. Takes time linear in the length of the value.
 */
export type FormatTest = (value: unknown, trace?: Trace) => boolean;

/**
 * Formats that are looked at: `own` leaves out those of URIs, which a client repeats as its server has named them;
 * `answer` leaves out metadata, of which servers refuse nothing.
 */
export type FormatScope = "all" | "own" | "answer";

/** Description of the values that a validator accepts: a type, and the table in which it is described. */
export interface Description {
  readonly shapes: Shapes;
  readonly name: string;
  /** Tests of formats, as far as they are made; null where no value can have a wrong one. */
  readonly tests: Partial<Record<FormatScope, FormatTest | null>>;
}

const descriptions = /* @__PURE__ */ new WeakMap<Validator, Description>();

export function describe(validator: Validator, shapes: Shapes, name: string): void {
  descriptions.set(validator, { shapes, name, tests: {} });
}

/** Gives a validator the description of another one, of which it checks more. */
export function describeLike(validator: Validator, other: Validator): void {
  const description = descriptions.get(other);
  if (description) descriptions.set(validator, description);
}

/** Description behind a validator; undefined for one that was not generated. */
export function descriptionOf(validator: Validator): Description | undefined {
  return descriptions.get(validator);
}
