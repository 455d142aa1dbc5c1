import {
  hasLength,
  isBetween,
  isBoolean,
  isInteger,
  isNever,
  isNumber,
  isString,
  matches,
} from "./tests.js";
import type { Shapes, Validator } from "./validator.js";

/**
 * A description of a type. `expected` names the type in issues. `recursive` is true if values can contain a value of a
 * recursive type, and `deep` is true if the type itself is recursive. `formats` lists the formats that values must also
 * have; see {@link formatTest}.
 */
export type Shape = {
  readonly expected: string;
  readonly recursive: boolean;
  readonly deep?: boolean;
  readonly formats?: readonly string[];
} & (
  | { readonly kind: "unknown" }
  | ScalarShape
  | ArrayShape
  | ObjectShape
  | UnionShape
  | { readonly kind: "intersection"; readonly parts: readonly Shape[] }
  | { readonly kind: "reference"; readonly name: string }
);

export interface ScalarShape {
  readonly kind: "scalar";
  accepts(value: unknown): boolean;
}

export interface ArrayShape {
  readonly kind: "array";
  readonly element: Shape;
  readonly size: Limits | undefined;
}

/** The shape of an object. Objects are open: unnamed members may have any value unless `index` restricts them. */
export interface ObjectShape {
  readonly kind: "object";
  readonly members: readonly MemberShape[];
  readonly index: Shape | undefined;
}

export interface MemberShape {
  readonly name: string;
  readonly optional: boolean;
  readonly shape: Shape;
}

/**
 * The shape of a union. If it has a `tag`, that member's value selects one of the `cases`, which are the possible
 * alternatives.
 */
export interface UnionShape {
  readonly kind: "union";
  readonly arms: readonly Shape[];
  readonly tag?: string;
  readonly cases?: readonly UnionCase[];
}

export interface UnionCase {
  /** The tag values that select this case; undefined represents an absent tag. */
  readonly labels: readonly (string | number | boolean | undefined)[];
  readonly shape: Shape;
}

export interface Limits {
  readonly minimum: number;
  readonly maximum: number;
  readonly text: string;
}

const created = /* @__PURE__ */ new WeakMap<Shapes[string], Shape | Validator>();

/** Returns a type's shape, which is created on first use. Returns a validator if another module describes the type. */
export function shapeOf(shapes: Shapes, name: string): Shape | Validator {
  const create = shapes[name]!;
  let shape = created.get(create);
  if (shape === undefined) created.set(create, (shape = create()));
  return shape;
}

export function isRecursive(shapes: Shapes, name: string): boolean {
  const shape = shapeOf(shapes, name);
  return typeof shape === "object" && shape.deep === true;
}

/**
 * True if a shape can be tested without examining members or elements, so that its only issue is about the value
 * itself.
 */
export function isSimple(shape: Shape): boolean {
  switch (shape.kind) {
    case "array":
      return shape.element.kind === "unknown" && shape.size === undefined;
    case "object":
      return shape.members.length === 0 && shape.index === undefined;
    default:
      return shape.kind === "scalar" || shape.kind === "unknown";
  }
}

export function innerShapes(shape: Shape): readonly Shape[] {
  switch (shape.kind) {
    case "array":
      return [shape.element];
    case "object":
      return [...shape.members.map((one) => one.shape), ...(shape.index ? [shape.index] : [])];
    case "union":
      return shape.arms;
    case "intersection":
      return shape.parts;
    default:
      return [];
  }
}

type Scalar = Shape & ScalarShape;

function scalar(expected: string, accepts: (value: unknown) => boolean): Scalar {
  return { kind: "scalar", accepts, expected, recursive: false };
}

export const anything: Shape = { kind: "unknown", expected: "any value", recursive: false };
export const nothing: Shape = /* @__PURE__ */ scalar("nothing", isNever);
export const boolean: Scalar = /* @__PURE__ */ scalar("boolean", isBoolean);
export const integer: Scalar = /* @__PURE__ */ scalar("integer", isInteger);
export const number: Scalar = /* @__PURE__ */ scalar("number", isNumber);
export const string: Scalar = /* @__PURE__ */ scalar("string", isString);

export function literal(wanted: string | number | boolean | null): Shape {
  return scalar(JSON.stringify(wanted), (value) => value === wanted);
}

/** Creates a shape for numbers within inclusive limits. */
export function between({ expected, accepts }: Scalar, minimum: number, maximum: number): Shape {
  return scalar(
    `${expected}, ${limits(minimum, maximum)}`,
    (value) => accepts(value) && isBetween(value, minimum, maximum),
  );
}

/** Creates a shape for strings whose length in characters is within inclusive limits. */
export function sized(minimum: number, maximum: number): Scalar {
  return scalar(`string with ${limits(minimum, maximum)} characters`, (value) =>
    hasLength(value, minimum, maximum),
  );
}

export function matching({ expected, accepts }: Scalar, pattern: string): Shape {
  return scalar(
    `${expected} that matches ${pattern}`,
    (value) => accepts(value) && matches(value, pattern),
  );
}

export function array(
  element: Shape,
  minimum: number = -Infinity,
  maximum: number = Infinity,
): Shape {
  const isSized = minimum > -Infinity || maximum < Infinity;
  const text = `array with ${limits(minimum, maximum)} items`;
  const size = isSized ? { minimum, maximum, text } : undefined;
  const expected = element.kind === "unknown" ? "array" : `${operand(element)}[]`;
  return { kind: "array", element, size, expected, recursive: element.recursive };
}

/**
 * Creates a shape for objects with these members. Optional members are marked with {@link maybe}; `index` is the type
 * of all other members.
 */
export function object(
  members: Readonly<Record<string, Shape | { readonly optional: Shape }>> = {},
  index?: Shape,
): Shape {
  const named = Object.entries(members).map(([name, one]) =>
    "optional" in one
      ? { name, optional: true, shape: one.optional }
      : { name, optional: false, shape: one },
  );
  return holding({ kind: "object", members: named, index, expected: "object", recursive: false });
}

export function maybe(optional: Shape): { readonly optional: Shape } {
  return { optional };
}

export function anyOf(...arms: readonly Shape[]): Shape & UnionShape {
  const expected = arms.map((arm) => arm.expected).join(" | ");
  return holding({ kind: "union", arms, expected, recursive: false });
}

/** Creates a shape for a union in which a member's value selects the possible alternatives. */
export function tagged(
  tag: string,
  rows: readonly (readonly [labels: UnionCase["labels"], shape: Shape])[],
  arms?: readonly Shape[],
): Shape {
  const cases = rows.map(([labels, shape]) => ({ labels, shape }));
  const named = cases.flatMap(({ shape }) => (shape.kind === "union" ? shape.arms : [shape]));
  const distinct = new Map(named.map((arm) => [arm.expected, arm]));
  return { ...anyOf(...(arms ?? distinct.values())), tag, cases };
}

export function allOf(...parts: readonly Shape[]): Shape {
  const expected = parts.map(operand).join(" & ");
  return holding({ kind: "intersection", parts, expected, recursive: false });
}

export function reference(name: string): Shape {
  return { kind: "reference", name, expected: name, recursive: false };
}

/** Creates the shape that refers to a recursive type. */
export function recursive(name: string): Shape {
  return { kind: "reference", name, expected: name, recursive: true };
}

/** Creates a shape for a recursive type. */
export function deep(shape: Shape): Shape {
  return { ...shape, deep: true };
}

export function formatted(shape: Shape, ...formats: readonly string[]): Shape {
  return { ...shape, formats };
}

function holding<Holder extends Shape>(shape: Holder): Holder {
  return { ...shape, recursive: innerShapes(shape).some((one) => one.recursive) };
}

function limits(minimum: number, maximum: number): string {
  if (minimum === -Infinity) return `at most ${maximum}`;
  return maximum === Infinity ? `at least ${minimum}` : `${minimum} to ${maximum}`;
}

function operand({ expected }: Shape): string {
  return / [|&] /.test(expected) ? `(${expected})` : expected;
}
