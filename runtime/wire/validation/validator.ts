import type { Shape } from "./shape.js";

/** The reason why a value does not have a type. */
export interface Issue {
  /** The JSON Pointer (RFC 6901) to the offending value; empty for the value itself. */
  readonly path: string;
  /** The required type, for display, such as `string`, `integer` or `"user" | "assistant"`. */
  readonly expected: string;
  /** The JSON type of the received value, or the value itself if it is short; `nothing` for a missing member. */
  readonly received: string;
}

/**
 * A list in which a validator collects issues. Without such a list, the validator stops at the first problem and
 * allocates nothing.
 */
export type Trace = Issue[];

/**
 * A function that returns true for a value that is a `T`. It never changes the value, and it throws only if one of the
 * value's getters throws; values from `JSON.parse` have no getters. It adds at most 100 issues to the `trace`. Members
 * that the value inherits do not count. Objects nested in the value are assumed to be as `JSON.parse` creates them.
 */
export type Validator<T = unknown> = (value: unknown, trace?: Trace) => value is T;

/**
 * The type descriptions in one module of validators, by type name. Each is a function that is called on first use. A
 * validator in place of a description refers to a type that another module describes.
 */
export type Shapes = Readonly<Record<string, () => Shape | Validator>>;

/** Returns a table with additional descriptions. */
export function addShapes(shapes: Shapes, more: Shapes): Shapes {
  return { ...shapes, ...more };
}

/**
 * Tests properties that a value's structure does not show. Returns true for a value to which the test does not apply.
 * Adds issues to the trace. Takes time linear in the value's length.
 */
export type FormatTest = (value: unknown, trace?: Trace) => boolean;

export type FormatName =
  | "byte"
  | "uri"
  | "uri-template"
  | "file-uri"
  | "web-url"
  | "icon"
  | "media-type"
  | "meta"
  | "trace"
  | "tool-turns";

/**
 * Selects the formats to check. `all` selects every format. `own` omits URI formats, because a client repeats URIs as
 * the server has written them. `answer` omits metadata formats, because servers do not reject answers for them.
 */
export type FormatScope = "all" | "own" | "answer";

/**
 * A generated test for a valid value's content, which tests the formats that its structure does not show. `formats` is
 * the table of tests for one {@link FormatScope}.
 */
export type ContentTest = (value: unknown, formats: FormatTests) => boolean;

/** The format tests, by name, that generated code uses to test content. They return true for other kinds of values. */
export interface FormatTests extends Readonly<Record<FormatName, (value: unknown) => boolean>> {
  exactlyOne(value: unknown, names: readonly string[]): boolean;
  /** Tests the elements of an array. */
  each(value: unknown, test: ContentTest): boolean;
  /** Tests the members of an object, except for those with the given names. */
  values(value: unknown, test: ContentTest, except?: readonly string[]): boolean;
  /** Tests the content of a type that another module describes. */
  of(validator: Validator, value: unknown): boolean;
}

export interface Description {
  readonly shapes: Shapes;
  readonly name: string;
  /** Absent if the content of all values is valid. */
  readonly content: ContentTest | undefined;
}

/**
 * The key of a validator's description. It is the same for all copies of this package in a process, because a generated
 * package that is linked by its path has a copy of its own.
 */
const DESCRIPTION: unique symbol = /* @__PURE__ */ Symbol.for("@mcp-codegen/runtime description");

interface Described {
  [DESCRIPTION]?: Description;
}

export function describe(validator: Validator, description: Description): void {
  (validator as Described)[DESCRIPTION] = description;
}

/** Gives a validator the same description as the validator that it extends with checks. */
export function describeLike(validator: Validator, other: Validator): void {
  const description = descriptionOf(other);
  if (description) describe(validator, description);
}

/** Returns a validator's description; undefined if the validator was not generated. */
export function descriptionOf(validator: Validator): Description | undefined {
  return (validator as Described)[DESCRIPTION];
}
