import type { Shape } from "./shape.js";

/** Reason why a value does not have a type. */
export interface Issue {
  /** JSON Pointer (RFC 6901) to the offending value; empty for the value itself. */
  readonly path: string;
  /** Required type, for display, such as `string`, `integer`, `"user" | "assistant"`. */
  readonly expected: string;
  /**
   * JSON type of the received value, or the value itself if it is short; `nothing` for a missing
   * member.
   */
  readonly received: string;
}

/** List in which a validator collects issues. Without one, it stops at the first problem, and allocates nothing. */
export type Trace = Issue[];

/**
 * True for a value that is a `T`. Never changes the value, and only throws if a getter of the value throws; values
 * from `JSON.parse` have no getters. Adds at most 100 issues to the `trace`. Members that the value inherits do not
 * count; objects nested in the value are assumed to be as `JSON.parse` creates them.
 */
export type Validator<T = unknown> = (value: unknown, trace?: Trace) => value is T;

/**
 * Descriptions of the types of one module of validators, by name; each is a function that is called on first use. A
 * validator in place of a description refers to a type that another module describes.
 */
export type Shapes = Readonly<Record<string, () => Shape | Validator>>;

/** Adds descriptions to a table. */
export function addShapes(shapes: Shapes, more: Shapes): Shapes {
  return { ...shapes, ...more };
}

/**
 * Test of properties that the structure of a value does not show; true for a value to which it does not apply. Adds
 * issues to the trace. Takes time linear in the length of the value.
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
 * Selection of the formats to check. `all`: every format; `own`: all but those of URIs, which a client repeats as
 * the server has written them; `answer`: all but those of metadata, for which servers reject no answer.
 */
export type FormatScope = "all" | "own" | "answer";

/**
 * Generated test of the content of a valid value: of the formats that its structure does not show. `formats` is the
 * table of tests for one {@link FormatScope}.
 */
export type ContentTest = (value: unknown, formats: FormatTests) => boolean;

/** Tests of formats, by name, with which generated code tests content. They are true for other kinds of values. */
export interface FormatTests extends Readonly<Record<FormatName, (value: unknown) => boolean>> {
  exactlyOne(value: unknown, names: readonly string[]): boolean;
  /** Tests the elements of an array. */
  each(value: unknown, test: ContentTest): boolean;
  /** Tests the members of an object, except for those with these names. */
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

const descriptions = /* @__PURE__ */ new WeakMap<Validator, Description>();

export function describe(validator: Validator, description: Description): void {
  descriptions.set(validator, description);
}

/** Assigns a validator the description of another one, to which it adds checks. */
export function describeLike(validator: Validator, other: Validator): void {
  const description = descriptions.get(other);
  if (description) descriptions.set(validator, description);
}

/** Returns the description of a validator; undefined for one that was not generated. */
export function descriptionOf(validator: Validator): Description | undefined {
  return descriptions.get(validator);
}
