import { formatTest } from "./formats.js";
import { NOTHING, ownMember, reject, report, within } from "./issues.js";
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
import {
  type ContentTest,
  describe,
  descriptionOf,
  type FormatName,
  type Issue,
  type Shapes,
  type Trace,
  type Validator,
} from "./validator.js";

const STANDARD_MEMBERS = 12;

/**
 * Creates a validator for a type. The generated test decides, and {@link explain} finds the reasons if a caller needs
 * them. However, the test also sees inherited members, whereas {@link explain} counts only own members. Therefore,
 * {@link explain} decides about class instances, and about all values if `Object.prototype` has enumerable additions.
 * If it has only other additions, {@link explain} decides about values that fail the test.
 *
 * @param content - absent if the content of all values of the type is valid
 */
export function validator<Type>(
  shapes: Shapes,
  name: string,
  test: Test,
  content?: ContentTest,
): Validator<Type> {
  const validate: Validator<Type> = (value, trace): value is Type => {
    const passes = test(value);
    // True for a value that `JSON.parse` could have created. An object inherits only from `Object.prototype`, and that
    // has no enumerable member.
    let isAsParsed = typeof value !== "object" || value === null || Array.isArray(value);
    if (!isAsParsed) {
      const prototype: unknown = Object.getPrototypeOf(value);
      isAsParsed = prototype === Object.prototype || prototype === null;
    }
    for (const _ in Object.prototype) isAsParsed = false;
    if (isAsParsed && (passes || (trace === undefined && !hasExtraMembers()))) return passes;
    return explain(shapes, name, value, trace ?? []);
  };
  describe(validate, { shapes, name, content });
  return validate;
}

/** True if `Object.prototype` has a member, enumerable or not, that the language does not define. */
function hasExtraMembers(): boolean {
  return Object.getOwnPropertyNames(Object.prototype).length > STANDARD_MEMBERS;
}

const TOO_DEEP = `at most ${MAX_DEPTH} levels`;

interface Walk {
  readonly shapes: Shapes;
  readonly trace: Trace;
  /**
   * The number of nesting levels that the value may still have, including its own; undefined if its type is not
   * recursive.
   */
  readonly depth: number | undefined;
  /** The formats that are not tested; absent if only the structure is explained. */
  readonly skipped: readonly FormatName[] | undefined;
}

/**
 * Checks a value against a described type, and adds the issues to the trace in schema order. Only own members count.
 * Returns true if there are no issues.
 *
 * @param skipped - the formats that are not tested; absent to test none
 */
export function explain(
  shapes: Shapes,
  name: string,
  value: unknown,
  trace: Trace,
  skipped?: readonly FormatName[],
): boolean {
  const start = trace.length;
  const depth = isRecursive(shapes, name) ? MAX_DEPTH : undefined;
  explainDeclared({ shapes, trace, depth, skipped }, name, value);
  return trace.length === start;
}

/** Checks a value against part of a described type, as {@link explain} does. */
export function explainPart(
  { shapes, shape }: { readonly shapes: Shapes; readonly shape: Shape },
  value: unknown,
  trace: Trace,
): boolean {
  const start = trace.length;
  const depth = levels(shape, undefined);
  explainShape({ shapes, trace, depth, skipped: undefined }, shape, value);
  return trace.length === start;
}

function explainDeclared(walk: Walk, name: string, value: unknown): void {
  const shape = shapeOf(walk.shapes, name);
  if (typeof shape === "object") return explainShape(walk, shape, value);
  const other = walk.skipped && descriptionOf(shape);
  if (other) explain(other.shapes, other.name, value, walk.trace, walk.skipped);
  else shape(value, walk.trace);
}

function explainShape(walk: Walk, shape: Shape, value: unknown): void {
  if (walk.skipped) explainFormats(walk.skipped, shape, value, walk.trace);
  switch (shape.kind) {
    case "unknown":
      return;
    case "scalar":
      if (!shape.accepts(value)) reject(walk.trace, shape.expected, value);
      return;
    case "array":
      return explainArray(walk, shape, value);
    case "object":
      return explainObject(walk, shape, value);
    case "union":
      return explainUnion(walk, shape, value);
    case "intersection":
      for (const part of shape.parts) explainSame(walk, part, value);
      return;
    case "reference":
      return explainDeclared({ ...walk, depth: levels(shape, walk.depth) }, shape.name, value);
  }
}

function explainFormats(
  skipped: readonly string[],
  { formats = [] }: Shape,
  value: unknown,
  trace: Trace,
): void {
  for (const format of formats) if (!skipped.includes(format)) formatTest(format)?.(value, trace);
}

/** Explains the same value against another shape, without counting another nesting level. */
function explainSame(walk: Walk, shape: Shape, value: unknown): void {
  explainShape({ ...walk, depth: levels(shape, walk.depth) }, shape, value);
}

/** Explains a member or element, one level below its owner. Returns true while the trace has room for more. */
function explainBelow(
  walk: Walk,
  shape: Shape,
  owner: Record<string, unknown> | readonly unknown[],
  name: string | number,
): boolean {
  const below: Walk = { ...walk, depth: levels(shape, walk.depth && walk.depth - 1) };
  return within(walk.trace, owner, name, (value) => explainShape(below, shape, value));
}

function explainArray(walk: Walk, { element, size }: ArrayShape, value: unknown): void {
  const { trace, depth } = walk;
  if (!Array.isArray(value)) return void reject(trace, "array", value);
  if (depth !== undefined && depth < 1) return void reject(trace, TOO_DEEP, value);
  if (size && (value.length < size.minimum || value.length > size.maximum)) {
    return void reject(trace, size.text, value);
  }
  for (let index = 0; index < value.length; index++) {
    if (!explainBelow(walk, element, value, index)) return;
  }
}

function explainObject(walk: Walk, { members, index }: ObjectShape, value: unknown): void {
  const { trace, depth } = walk;
  if (!isObject(value)) return void reject(trace, "object", value);
  if (depth !== undefined && depth < 1) return void reject(trace, TOO_DEEP, value);
  if (index && !explainEntries(walk, index, members, value)) return;
  for (const { name, optional, shape: member } of members) {
    const isAbsent = ownMember(value, name) === undefined;
    if (isAbsent && optional) continue;
    const isLacking = isAbsent && member.kind === "unknown";
    const goesOn = isLacking
      ? report(trace, value, name, member.expected)
      : explainBelow(walk, member, value, name);
    if (!goesOn) return;
  }
}

function explainEntries(
  walk: Walk,
  shape: Shape,
  named: readonly MemberShape[],
  value: Record<string, unknown>,
): boolean {
  for (const name of Object.keys(value)) {
    if (value[name] === undefined || named.some((member) => member.name === name)) continue;
    if (!explainBelow(walk, shape, value, name)) return false;
  }
  return true;
}

function explainUnion(walk: Walk, shape: Shape & UnionShape, value: unknown): void {
  const { tag, cases, expected } = shape;
  const { trace } = walk;
  if (tag === undefined || cases === undefined) return explainAlternatives(walk, shape, value);
  if (!isObject(value)) return void reject(trace, expected, value);
  const label = ownMember(value, tag);
  const found = cases.find(({ labels }) => labels.some((known) => known === label));
  if (found) return explainSame(walk, found.shape, value);
  const known = cases.flatMap(({ labels }) => labels).filter((each) => each !== undefined);
  report(trace, value, tag, known.map((each) => JSON.stringify(each)).join(" | "));
}

/**
 * Adds the issues for a union. If only one alternative has the value's JSON type and required members, adds that
 * alternative's issues. Otherwise, adds a single issue that names all alternatives.
 */
function explainAlternatives(
  walk: Walk,
  { arms, expected }: Shape & UnionShape,
  value: unknown,
): void {
  const close: Trace[] = [];
  let fits = false;
  for (const arm of arms) {
    const trace: Trace = [];
    explainSame({ ...walk, trace, skipped: undefined }, arm, value);
    if (trace.length > 0) {
      if (!isSimple(arm) && trace.every(isClose)) close.push(trace);
      continue;
    }
    if (walk.skipped === undefined) return;
    fits = true;
    explainSame(walk, arm, value);
  }
  if (fits) return;
  if (close.length === 1) walk.trace.push(...close[0]!);
  else reject(walk.trace, expected, value);
}

/**
 * Returns how many nesting levels a value with this shape may still have. Undefined if the shape is not recursive, in
 * which case there is no limit.
 */
function levels({ recursive }: Shape, depth: number | undefined): number | undefined {
  return recursive ? (depth ?? MAX_DEPTH) : undefined;
}

/**
 * True if a value with this issue may still have been meant for the type, because neither its JSON type nor one of its
 * required members is at fault.
 */
function isClose({ path, expected, received }: Issue): boolean {
  if (path === "") return expected === TOO_DEEP;
  return received !== NOTHING || path.lastIndexOf("/") > 0;
}
