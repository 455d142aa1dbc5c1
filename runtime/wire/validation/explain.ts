import { NOTHING, ownMember, reject, report, within } from "./issues.js";
import type { Part } from "./parts.js";
import {
  type ArrayShape,
  isRecursive,
  isSimple,
  type MemberShape,
  type ObjectShape,
  type Shape,
  shapeOf,
  type UnionShape,
} from "./shape.js";
import { isObject, MAX_DEPTH, type Test } from "./tests.js";
import { describe, type Issue, type Shapes, type Trace, type Validator } from "./validator.js";

/** Number of members that `Object.prototype` has in the language. */
const STANDARD_MEMBERS = 12;

/**
 * Creates the validator of a type: the generated test decides, and {@link explain} finds the
 * reasons if a caller needs them. This is the only place that guards against inherited members: the
 * test reads members as those of objects that `JSON.parse` creates. Where every object inherits
 * more (a polluted `Object.prototype`), or the value itself is an object of a class, {@link
 * explain} decides, which counts own members only.
 */
export function validator<Type>(shapes: Shapes, name: string, test: Test): Validator<Type> {
  const validate: Validator<Type> = (value, trace): value is Type => {
    const passes = test(value);
    // True for a value as `JSON.parse` creates it: an object inherits from nothing but
    // `Object.prototype`, which has no enumerable member.
    let isAsParsed = typeof value !== "object" || value === null || Array.isArray(value);
    if (!isAsParsed) {
      const prototype: unknown = Object.getPrototypeOf(value);
      isAsParsed = prototype === Object.prototype || prototype === null;
    }
    for (const _ in Object.prototype) isAsParsed = false;
    if (isAsParsed && (passes || (trace === undefined && !hasExtraMembers()))) return passes;
    return explain(shapes, name, value, trace ?? []);
  };
  describe(validate, shapes, name);
  return validate;
}

/** True if every object inherits a member that the language does not have, enumerable or not. */
function hasExtraMembers(): boolean {
  return Object.getOwnPropertyNames(Object.prototype).length > STANDARD_MEMBERS;
}

const TOO_DEEP = `at most ${MAX_DEPTH} levels`;

/**
 * Adds the issues of a value that should have a type, in the order of the schema. Only own members
 * count. Returns true if there are none.
 */
export function explain(shapes: Shapes, name: string, value: unknown, trace: Trace): boolean {
  const start = trace.length;
  explainDeclared(shapes, name, value, trace, isRecursive(shapes, name) ? MAX_DEPTH : undefined);
  return trace.length === start;
}

/** Adds the issues of a value that should have a described type, as {@link explain} does. */
export function explainPart({ shapes, shape }: Part, value: unknown, trace: Trace): boolean {
  const start = trace.length;
  explainShape(shapes, shape, value, trace, shape.recursive ? MAX_DEPTH : undefined);
  return trace.length === start;
}

/** @param depth - remaining levels for a value of a recursive type, this one included */
function explainDeclared(
  shapes: Shapes,
  name: string,
  value: unknown,
  trace: Trace,
  depth: number | undefined,
): void {
  const shape = shapeOf(shapes, name);
  if (typeof shape === "function") shape(value, trace);
  else explainShape(shapes, shape, value, trace, depth);
}

function explainShape(
  shapes: Shapes,
  shape: Shape,
  value: unknown,
  trace: Trace,
  depth: number | undefined,
): void {
  switch (shape.kind) {
    case "unknown":
      return;
    case "scalar":
      if (!shape.accepts(value)) reject(trace, shape.expected, value);
      return;
    case "array":
      return explainArray(shapes, shape, value, trace, depth);
    case "object":
      return explainObject(shapes, shape, value, trace, depth);
    case "union":
      return explainUnion(shapes, shape, value, trace, depth);
    case "intersection":
      for (const part of shape.parts) explainSame(shapes, part, value, trace, depth);
      return;
    case "reference":
      return explainDeclared(shapes, shape.name, value, trace, levels(shape, depth));
  }
}

/** Explains a value by another shape, at the same level. */
function explainSame(
  shapes: Shapes,
  shape: Shape,
  value: unknown,
  trace: Trace,
  depth: number | undefined,
): void {
  explainShape(shapes, shape, value, trace, levels(shape, depth));
}

/**
 * Explains a member or an element, one level below its owner. Returns true while the trace has
 * room for more.
 */
function explainBelow(
  shapes: Shapes,
  shape: Shape,
  owner: Record<string, unknown> | readonly unknown[],
  name: string | number,
  trace: Trace,
  depth: number | undefined,
): boolean {
  const below = levels(shape, depth && depth - 1);
  return within(trace, owner, name, (value) => explainShape(shapes, shape, value, trace, below));
}

function explainArray(
  shapes: Shapes,
  shape: ArrayShape,
  value: unknown,
  trace: Trace,
  depth: number | undefined,
): void {
  const { element, size } = shape;
  if (!Array.isArray(value)) return void reject(trace, "array", value);
  if (depth !== undefined && depth < 1) return void reject(trace, TOO_DEEP, value);
  if (size && (value.length < size.minimum || value.length > size.maximum)) {
    return void reject(trace, size.text, value);
  }
  for (let index = 0; index < value.length; index++) {
    if (!explainBelow(shapes, element, value, index, trace, depth)) return;
  }
}

function explainObject(
  shapes: Shapes,
  shape: ObjectShape,
  value: unknown,
  trace: Trace,
  depth: number | undefined,
): void {
  const { members, index } = shape;
  if (!isObject(value)) return void reject(trace, "object", value);
  if (depth !== undefined && depth < 1) return void reject(trace, TOO_DEEP, value);
  if (index && !explainEntries(shapes, index, members, value, trace, depth)) return;
  for (const { name, optional, shape: member } of members) {
    const isAbsent = ownMember(value, name) === undefined;
    if (isAbsent && optional) continue;
    const isLacking = isAbsent && member.kind === "unknown";
    const goesOn = isLacking
      ? report(trace, value, name, member.expected)
      : explainBelow(shapes, member, value, name, trace, depth);
    if (!goesOn) return;
  }
}

/**
 * Explains the members that have no shape of their own. Returns true while the trace has room for
 * more.
 */
function explainEntries(
  shapes: Shapes,
  shape: Shape,
  named: readonly MemberShape[],
  value: Record<string, unknown>,
  trace: Trace,
  depth: number | undefined,
): boolean {
  for (const name of Object.keys(value)) {
    if (value[name] === undefined || named.some((member) => member.name === name)) continue;
    if (!explainBelow(shapes, shape, value, name, trace, depth)) return false;
  }
  return true;
}

function explainUnion(
  shapes: Shapes,
  shape: Shape & UnionShape,
  value: unknown,
  trace: Trace,
  depth: number | undefined,
): void {
  const { arms, tag, cases, expected } = shape;
  if (tag === undefined || cases === undefined) {
    return explainAlternatives(shapes, arms, expected, value, trace, depth);
  }
  if (!isObject(value)) return void reject(trace, expected, value);
  const label = ownMember(value, tag);
  const found = cases.find(({ labels }) => labels.some((known) => known === label));
  if (found) return explainSame(shapes, found.shape, value, trace, depth);
  const known = cases.flatMap(({ labels }) => labels).filter((each) => each !== undefined);
  report(trace, value, tag, known.map((each) => JSON.stringify(each)).join(" | "));
}

/**
 * Adds the issues of a union: those of the alternative that the value was probably meant for,
 * because it has the right JSON type and all required members; otherwise a single issue that
 * names the alternatives.
 */
function explainAlternatives(
  shapes: Shapes,
  arms: readonly Shape[],
  expected: string,
  value: unknown,
  trace: Trace,
  depth: number | undefined,
): void {
  const close: Trace[] = [];
  for (const arm of arms) {
    const issues: Trace = [];
    explainSame(shapes, arm, value, issues, depth);
    if (issues.length === 0) return;
    if (!isSimple(arm) && issues.every(isClose)) close.push(issues);
  }
  if (close.length === 1) trace.push(...close[0]!);
  else reject(trace, expected, value);
}
/** Remaining levels of a shape; one that is not recursive does not count them. */
function levels({ recursive }: Shape, depth: number | undefined): number | undefined {
  return recursive ? (depth ?? MAX_DEPTH) : undefined;
}

/**
 * True for an issue of a value that was probably meant for a type: it has its JSON type and its
 * required members.
 */
function isClose({ path, expected, received }: Issue): boolean {
  if (path === "") return expected === TOO_DEEP;
  return received !== NOTHING || path.lastIndexOf("/") > 0;
}
