import { formatTest } from "./formats.js";
import { ownMember, within } from "./issues.js";
import { innerShapes, type ObjectShape, type Shape, shapeOf, type UnionShape } from "./shape.js";
import { isObject } from "./tests.js";
import {
  descriptionOf,
  type FormatScope,
  type FormatTest,
  type Issue,
  type Shapes,
  type Trace,
  type Validator,
} from "./validator.js";

const SKIPPED: Readonly<Record<FormatScope, readonly string[]>> = {
  all: [],
  own: ["uri", "uri-template"],
  answer: ["meta", "trace"],
};

const compilers = /* @__PURE__ */ new WeakMap<Shapes, Map<FormatScope, Compiler>>();

/**
 * True if the content of a value fits the formats of its type: base64, URIs, MIME types, keys of
 * `_meta`. The structure has to be valid.
 */
export function hasFormats(
  validator: Validator,
  value: unknown,
  scope: FormatScope = "all",
): boolean {
  return contentTest(validator, scope)?.(value) ?? true;
}

/** Returns the issues that make {@link hasFormats} false. */
export function formatIssues(
  validator: Validator,
  value: unknown,
  scope: FormatScope = "all",
): Issue[] {
  const trace: Trace = [];
  contentTest(validator, scope)?.(value, trace);
  return trace;
}

/**
 * Returns the test of a type's content, which is created on first use; null if the content of its values is always
 * valid.
 */
export function contentTest(validator: Validator, scope: FormatScope): FormatTest | null {
  const description = descriptionOf(validator);
  if (description === undefined) return null;
  const { shapes, name, tests } = description;
  let test = tests[scope];
  if (test === undefined) tests[scope] = test = declaredTest(compilerOf(shapes, scope), name);
  return test;
}

/**
 * Creates the test of the content of a type in a table of descriptions; null if the content of its values is always
 * valid.
 */
export function formatTestOf(shapes: Shapes, name: string): FormatTest | null {
  return declaredTest(compilerOf(shapes, "all"), name);
}

function compilerOf(shapes: Shapes, scope: FormatScope): Compiler {
  let known = compilers.get(shapes);
  if (known === undefined) compilers.set(shapes, (known = new Map()));
  let compiler = known.get(scope);
  if (compiler === undefined) known.set(scope, (compiler = { shapes, scope, known: new Map() }));
  return compiler;
}

/**
 * State while the tests of one module's types are compiled. The tests only visit parts of a value that can contain a
 * format.
 */
interface Compiler {
  readonly shapes: Shapes;
  readonly scope: FormatScope;
  readonly known: Map<string, FormatTest | null>;
}

function declaredTest(compiler: Compiler, name: string): FormatTest | null {
  const known = compiler.known.get(name);
  if (known !== undefined) return known;
  if (!leadsToFormat(compiler, name, new Set())) {
    compiler.known.set(name, null);
    return null;
  }
  // Placeholder for a recursive type, which finds its finished test when the placeholder is called.
  compiler.known.set(name, (value, trace) => compiler.known.get(name)!(value, trace));
  const shape = shapeOf(compiler.shapes, name);
  const made =
    typeof shape === "function" ? contentTest(shape, compiler.scope) : testOf(compiler, shape);
  compiler.known.set(name, made);
  return made;
}

function testOf(compiler: Compiler, shape: Shape): FormatTest | null {
  const formats = formatsOf(compiler, shape).map((name) => formatTest(name)!);
  const inner = innerTest(compiler, shape);
  return all(inner ? [...formats, inner] : formats);
}

function innerTest(compiler: Compiler, shape: Shape): FormatTest | null {
  switch (shape.kind) {
    case "array":
      return items(testOf(compiler, shape.element));
    case "object":
      return objectTest(compiler, shape);
    case "union":
      return unionTest(compiler, shape);
    case "intersection":
      return all(shape.parts.flatMap((part) => testOf(compiler, part) ?? []));
    case "reference":
      return declaredTest(compiler, shape.name);
    default:
      return null;
  }
}

function objectTest(compiler: Compiler, { members, index }: ObjectShape): FormatTest | null {
  const tested = members.flatMap(({ name, shape }) => {
    const test = testOf(compiler, shape);
    return test ? [{ name, test }] : [];
  });
  const rest = index && testOf(compiler, index);
  if (tested.length === 0 && !rest) return null;
  return (value, trace) => {
    if (!isObject(value)) return true;
    let passes = true;
    for (const { name, test } of tested) {
      const member = value[name];
      if (member === undefined) continue;
      if (trace ? memberPasses(value, name, test, trace) : test(member)) continue;
      passes = false;
      if (!trace) return false;
    }
    if (!rest) return passes;
    for (const name of Object.keys(value)) {
      if (members.some((member) => member.name === name)) continue;
      if (!memberPasses(value, name, rest, trace)) passes = false;
    }
    return passes;
  };
}

function unionTest(
  compiler: Compiler,
  { arms, tag, cases }: Shape & UnionShape,
): FormatTest | null {
  if (tag === undefined || cases === undefined) {
    return all(arms.flatMap((arm) => alternativeTest(compiler, arm) ?? []));
  }
  const tests = new Map<unknown, FormatTest>();
  for (const { labels, shape } of cases) {
    const test = testOf(compiler, shape);
    for (const label of labels) if (test) tests.set(label, test);
  }
  if (tests.size === 0) return null;
  return (value, trace) =>
    !isObject(value) || (tests.get(ownMember(value, tag))?.(value, trace) ?? true);
}

/** Creates the test of an alternative of a union, which applies to values that have all members of the alternative. */
function alternativeTest(compiler: Compiler, arm: Shape): FormatTest | null {
  const test = testOf(compiler, arm);
  const shape = resolvedShape(compiler, arm);
  if (test === null || shape?.kind !== "object") return test;
  const required = shape.members.flatMap(({ name, optional }) => (optional ? [] : [name]));
  return (value, trace) =>
    !isObject(value) || required.some((name) => value[name] === undefined) || test(value, trace);
}

function resolvedShape(compiler: Compiler, shape: Shape): Shape | undefined {
  if (shape.kind !== "reference") return shape;
  const found = shapeOf(compiler.shapes, shape.name);
  return typeof found === "function" ? undefined : resolvedShape(compiler, found);
}

/** True if values of a type can contain something with a format. */
function leadsToFormat(compiler: Compiler, name: string, seen: Set<string>): boolean {
  if (seen.has(name)) return false;
  seen.add(name);
  const shape = shapeOf(compiler.shapes, name);
  return typeof shape === "function" || hasFormat(compiler, shape, seen);
}

function hasFormat(compiler: Compiler, shape: Shape, seen: Set<string>): boolean {
  if (formatsOf(compiler, shape).length > 0) return true;
  if (shape.kind === "reference") return leadsToFormat(compiler, shape.name, seen);
  return innerShapes(shape).some((inner) => hasFormat(compiler, inner, seen));
}

function formatsOf(compiler: Compiler, { formats = [] }: Shape): readonly string[] {
  const skipped = SKIPPED[compiler.scope];
  return formats.filter((name) => !skipped.includes(name) && formatTest(name) !== undefined);
}

/** Combines several tests into one that requires all of them; null if there are none. */
function all(tests: readonly FormatTest[]): FormatTest | null {
  if (tests.length < 2) return tests[0] ?? null;
  return (value, trace) => {
    let passes = true;
    for (const test of tests) {
      if (test(value, trace)) continue;
      passes = false;
      if (!trace) return false;
    }
    return passes;
  };
}

function items(test: FormatTest | null): FormatTest | null {
  if (test === null) return null;
  return (value, trace) => {
    if (!Array.isArray(value)) return true;
    let passes = true;
    for (let index = 0; index < value.length; index++) {
      if (trace === undefined ? test(value[index]) : memberPasses(value, index, test, trace))
        continue;
      passes = false;
      if (!trace) return false;
    }
    return passes;
  };
}

function memberPasses(
  owner: Record<string, unknown> | readonly unknown[],
  name: string | number,
  test: FormatTest,
  trace: Trace | undefined,
): boolean {
  if (trace === undefined) return test((owner as Record<string, unknown>)[name]);
  const before = trace.length;
  within(trace, owner, name, (value) => test(value, trace));
  return trace.length === before;
}
