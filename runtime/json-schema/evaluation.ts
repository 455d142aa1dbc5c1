import { isObject } from "../wire/index.js";
import { type Assertion, ASSERTIONS, type StringTests } from "./assertions.js";
import {
  type CopiedSchema,
  isNode,
  type Node,
  type Subschema,
  type Targets,
  token,
} from "./read/index.js";
import { expectation, sketch } from "./expectation.js";
import type { Run } from "./run.js";

/** Names of members and indexes of items of one value that a subschema has evaluated. */
type Evaluated = Set<string | number>;

/**
 * Applies a subschema to a value.
 * @param seen - collects the evaluated members and items; undefined if no `unevaluated…` keyword
 *   depends on it
 */
type Check = (value: unknown, run: Run, seen?: Evaluated) => boolean;

/** Compilation of the subschemas of one schema. */
interface Compiler {
  /** Check of another subschema, which may still have to be compiled. */
  readonly checkOf: (schema: unknown) => Check;
  readonly pathOf: (node: Node) => string;
  readonly strings: StringTests;
}

/** Compiles a part of a subschema; undefined if the subschema lacks the keywords. */
type Applicator = (node: Node, compiler: Compiler) => Check | undefined;

/** Compiles all subschemas of a schema, each to one function. */
export function evaluationOf(schema: CopiedSchema, targets: Targets, strings: StringTests): Check {
  const checks = new Map<Node, Check>();
  const compiler: Compiler = {
    checkOf: (other) => {
      if (other === true) return () => true;
      if (!isNode(other)) return (value, run) => run.refuse(() => "nothing", value);
      let check: Check | undefined;
      return (value, run, seen) => (check ??= checks.get(other)!)(value, run, seen);
    },
    pathOf: (node) => schema.nodes.get(node)!.path,
    strings,
  };
  for (const node of schema.nodes.keys()) {
    const referred = (targets.get(node) ?? []).map(compiler.checkOf);
    checks.set(node, compile(node, compiler, referred));
  }
  return compiler.checkOf(schema.root);
}

function compile(node: Node, compiler: Compiler, referred: readonly Check[]): Check {
  const checks: Check[] = [...referred];
  for (const [keyword, create] of Object.entries(ASSERTIONS)) {
    if (node[keyword] === undefined) continue;
    const fits = create(node[keyword], node, compiler.pathOf(node), compiler.strings);
    checks.push(asserting(node, keyword, fits));
  }
  for (const applicator of APPLICATORS) {
    const check = applicator(node, compiler);
    if (check) checks.push(check);
  }
  const check = all(checks);
  return remainders(node, check, compiler) ?? check;
}

/**
 * Combines checks so that all have to pass; while issues are collected, it does not stop at the
 * first failure.
 */
function all(checks: readonly Check[]): Check {
  return (value, run, seen) => {
    run.spend();
    let fits = true;
    for (const check of checks) {
      if (check(value, run, seen)) continue;
      if (run.issues === undefined) return false;
      fits = false;
    }
    return fits;
  };
}

function asserting(node: Node, keyword: string, fits: Assertion): Check {
  return (value, run) => fits(value, run) || run.refuse(() => expectation(node, keyword), value);
}

const APPLICATORS: readonly Applicator[] = [
  ({ allOf }, { checkOf }) => (Array.isArray(allOf) ? all(allOf.map(checkOf)) : undefined),
  alternatives,
  exclusiveAlternatives,
  negation,
  condition,
  requiredMembers,
  (node, compiler) => dependents(node, compiler),
  ({ dependencies }, compiler) =>
    isNode(dependencies) ? dependents(dependencies, compiler) : undefined,
  memberNames,
  members,
  items,
  contained,
];

/**
 * Tries a subschema without reporting issues; the members that it evaluated count if the value
 * fits.
 */
function attempt(check: Check, value: unknown, run: Run, seen: Evaluated | undefined): boolean {
  const evaluated: Evaluated | undefined = seen && new Set();
  const fits = run.quietly(() => check(value, run, evaluated));
  if (fits) for (const name of evaluated ?? []) seen!.add(name);
  return fits;
}

function alternatives(node: Node, { checkOf }: Compiler): Check | undefined {
  if (node["anyOf"] === undefined) return undefined;
  const checks = (node["anyOf"] as Subschema[]).map(checkOf);
  return (value, run, seen) => {
    let fits = false;
    for (const check of checks) {
      fits = attempt(check, value, run, seen) || fits;
      if (fits && seen === undefined) return true;
    }
    return fits || run.refuse(() => expectation(node, "anyOf"), value);
  };
}

function exclusiveAlternatives(node: Node, { checkOf }: Compiler): Check | undefined {
  if (node["oneOf"] === undefined) return undefined;
  const checks = (node["oneOf"] as Subschema[]).map(checkOf);
  return (value, run, seen) => {
    let count = 0;
    for (const check of checks) {
      if (attempt(check, value, run, seen)) count += 1;
      if (count > 1) break;
    }
    return count === 1 || run.refuse(() => expectation(node, "oneOf"), value);
  };
}

function negation(node: Node, { checkOf }: Compiler): Check | undefined {
  if (node["not"] === undefined) return undefined;
  const check = checkOf(node["not"]);
  return (value, run) =>
    !attempt(check, value, run, undefined) || run.refuse(() => expectation(node, "not"), value);
}

function condition(node: Node, { checkOf }: Compiler): Check | undefined {
  if (node["if"] === undefined) return undefined;
  const [test, then, otherwise] = [node["if"], node["then"] ?? true, node["else"] ?? true].map(
    checkOf,
  );
  return (value, run, seen) =>
    (attempt(test!, value, run, seen) ? then! : otherwise!)(value, run, seen);
}

function requiredMembers({ required, properties = {} }: Node): Check | undefined {
  if (required === undefined) return undefined;
  const names = required as readonly string[];
  const schemaOf = (name: string): unknown =>
    Object.hasOwn(properties as Node, name) ? (properties as Node)[name] : undefined;
  return (value, run) => {
    if (!isObject(value)) return true;
    let fits = true;
    for (const name of names) {
      if (Object.hasOwn(value, name)) continue;
      fits = false;
      if (run.issues === undefined) return false;
      const expected = (): string => sketch(schemaOf(name)) ?? "a value";
      run.inside(name, () => run.refuse(expected, undefined), undefined);
    }
    return fits;
  };
}

/** Requirements for the whole object that depend on the presence of members. */
function dependents(node: Node, { checkOf }: Compiler): Check | undefined {
  const { dependentRequired = {}, dependentSchemas = {} } = node;
  const required = Object.entries(dependentRequired as Record<string, readonly string[]>);
  const schemas = Object.entries(dependentSchemas as Record<string, Subschema>).map(
    ([name, schema]) => [name, checkOf(schema)] as const,
  );
  if (required.length + schemas.length === 0) return undefined;
  return (value, run, seen) => {
    if (!isObject(value)) return true;
    const isPresent = (name: string): boolean => Object.hasOwn(value, name);
    let fits = required.every(([name, others]) => !isPresent(name) || others.every(isPresent));
    if (!fits) run.refuse(() => expectation(node, "dependentRequired"), value);
    for (const [name, check] of schemas) {
      if (isPresent(name) && !check(value, run, seen)) fits = false;
    }
    return fits;
  };
}

function memberNames({ propertyNames }: Node, { checkOf }: Compiler): Check | undefined {
  if (propertyNames === undefined) return undefined;
  const check: Check =
    propertyNames === false
      ? (name, run) => run.refuse(() => "another name", name)
      : checkOf(propertyNames);
  return (value, run) =>
    !isObject(value) || each(Object.keys(value), run, (name) => run.inside(name, check, name));
}

function members(node: Node, { checkOf, pathOf, strings }: Compiler): Check | undefined {
  const { properties, patternProperties, additionalProperties } = node;
  if (!properties && !patternProperties && additionalProperties === undefined) return undefined;
  const named = new Map(
    Object.entries(properties ?? {}).map(([name, schema]) => [name, checkOf(schema)]),
  );
  const patterned = Object.entries(patternProperties ?? {}).map(([source, schema]) => {
    const place = `${pathOf(node)}/patternProperties${token(source)}`;
    return { matches: strings.pattern(source, place), check: checkOf(schema) };
  });
  const additional = additionalProperties === undefined ? undefined : checkOf(additionalProperties);
  return (value, run, seen) => {
    if (!isObject(value)) return true;
    return each(Object.keys(value), run, (name) => {
      const applied = patterned.filter(({ matches }) => matches(name, run));
      const check = named.get(name) ?? (applied.length > 0 ? undefined : additional);
      if (check || applied.length > 0) seen?.add(name);
      const fits = check === undefined || run.inside(name, check, value[name]);
      return each(applied, run, (other) => run.inside(name, other.check, value[name])) && fits;
    });
  };
}

/** Items by position, and all others; older dialects use other names for these keywords. */
function items(node: Node, { checkOf }: Compiler): Check | undefined {
  const isTuple = Array.isArray(node["items"]);
  const first = ((isTuple ? node["items"] : node["prefixItems"]) ?? []) as Subschema[];
  const others = isTuple ? node["additionalItems"] : node["items"];
  if (first.length === 0 && others === undefined) return undefined;
  const checks = first.map(checkOf);
  const check = others === undefined ? undefined : checkOf(others);
  return (value, run, seen) => {
    if (!Array.isArray(value)) return true;
    const count = check ? value.length : Math.min(value.length, checks.length);
    let fits = true;
    for (let index = 0; index < count; index++) {
      seen?.add(index);
      if (run.inside(index, checks[index] ?? check!, value[index])) continue;
      if (run.issues === undefined) return false;
      fits = false;
    }
    return fits;
  };
}

function contained(node: Node, { checkOf }: Compiler): Check | undefined {
  if (node["contains"] === undefined) return undefined;
  const check = checkOf(node["contains"]);
  const tried: Check = (item, run) => attempt(check, item, run, undefined);
  const { minContains: minimum = 1, maxContains: maximum = Infinity } = node;
  return (value, run, seen) => {
    if (!Array.isArray(value)) return true;
    let count = 0;
    for (const [index, item] of value.entries()) {
      if (!run.inside(index, tried, item)) continue;
      seen?.add(index);
      count += 1;
      if (!seen && maximum === Infinity && count >= (minimum as number)) break;
    }
    const minimumKeyword = node["minContains"] === undefined ? "contains" : "minContains";
    if (count < (minimum as number)) {
      return run.refuse(() => expectation(node, minimumKeyword), value);
    }
    return (
      count <= (maximum as number) || run.refuse(() => expectation(node, "maxContains"), value)
    );
  };
}

/**
 * Applies `unevaluatedProperties` and `unevaluatedItems` to the members and items that the rest of
 * the subschema has not evaluated.
 */
function remainders(node: Node, check: Check, { checkOf }: Compiler): Check | undefined {
  const { unevaluatedProperties, unevaluatedItems } = node;
  if (unevaluatedProperties === undefined && unevaluatedItems === undefined) return undefined;
  const [ofMembers, ofItems] = [unevaluatedProperties, unevaluatedItems].map((schema) =>
    schema === undefined ? undefined : checkOf(schema),
  );
  return (value, run, seen) => {
    const evaluated: Evaluated = new Set();
    const fits = check(value, run, evaluated);
    if (!fits && run.issues === undefined) return false;
    const rest = Array.isArray(value) ? ofItems : isObject(value) ? ofMembers : undefined;
    const keys: readonly (string | number)[] = Array.isArray(value)
      ? [...value.keys()]
      : Object.keys(value ?? {});
    const restFits = each(rest ? keys : [], run, (name) => {
      if (evaluated.has(name)) return true;
      evaluated.add(name);
      return run.inside(name, rest!, (value as Node)[name]);
    });
    if (seen) for (const name of evaluated) seen.add(name);
    return fits && restFits;
  };
}

/** True if all of them fit; while issues are collected, it does not stop at the first failure. */
function each<T>(values: readonly T[], run: Run, fits: (value: T) => boolean): boolean {
  let result = true;
  for (const value of values) {
    if (fits(value)) continue;
    result = false;
    if (run.issues === undefined) return false;
  }
  return result;
}
