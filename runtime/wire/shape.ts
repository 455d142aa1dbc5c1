import { parseShape } from "./shape-parser.js";
import type { Validator } from "./validation.js";

/**
 * Descriptions of the types of one module of validators, by name, in the notation that {@link parseShape} reads. A
 * validator stands for a type that another module describes.
 */
export type Shapes = Readonly<Record<string, string | Validator>>;

/** Adds descriptions to those of a table. */
export function addShapes(shapes: Shapes, more: Shapes): Shapes {
  return { ...shapes, ...more };
}

/**
 * Type of a value. `expected` names it in issues; `recursive`: a value can contain a value of the same type; `formats`:
 * what values of it have besides, see {@link formatTest}.
 */
export type Shape = {
  readonly expected: string;
  readonly recursive: boolean;
  readonly formats?: readonly string[];
} & (
  | { readonly kind: "unknown" }
  | { readonly kind: "scalar"; accepts(value: unknown): boolean }
  | ArrayShape
  | ObjectShape
  | UnionShape
  | { readonly kind: "intersection"; readonly parts: readonly Shape[] }
  | { readonly kind: "reference"; readonly name: string }
);

export interface ArrayShape {
  readonly kind: "array";
  readonly element: Shape;
  readonly size: Limits | undefined;
}

/** Objects are open: members that are not named may be anything, unless `index` says otherwise. */
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

/** A union with a `tag` has `cases`: the value of that member selects the alternatives that are possible. */
export interface UnionShape {
  readonly kind: "union";
  readonly arms: readonly Shape[];
  readonly tag?: string;
  readonly cases?: readonly UnionCase[];
}

export interface UnionCase {
  /** Values of the tag; undefined for an absent one. */
  readonly labels: readonly (string | number | boolean | undefined)[];
  readonly shape: Shape;
}

/** Inclusive limits, and their text in issues. */
export interface Limits {
  readonly minimum: number;
  readonly maximum: number;
  readonly text: string;
}

/** Mark at the start of the description of a recursive type. */
const RECURSIVE = "recursive ";

const parsed = new WeakMap<Shapes, Map<string, Shape>>();

/** Shape of a type; a validator where another module describes it. A description is parsed once, when it is needed. */
export function shapeOf(shapes: Shapes, name: string): Shape | Validator {
  const text = shapes[name]!;
  if (typeof text !== "string") return text;
  let known = parsed.get(shapes);
  if (known === undefined) parsed.set(shapes, (known = new Map()));
  let shape = known.get(name);
  if (shape === undefined) {
    const body = isRecursive(shapes, name) ? text.slice(RECURSIVE.length) : text;
    shape = parseShape(body, (other) => isRecursive(shapes, other));
    known.set(name, shape);
  }
  return shape;
}

/** True for a type that can contain a value of its own type: its levels are limited. */
export function isRecursive(shapes: Shapes, name: string): boolean {
  const text = shapes[name];
  return typeof text === "string" && text.startsWith(RECURSIVE);
}

/** True for a shape that one test without a function of its own decides; its issues name nothing inside. */
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
