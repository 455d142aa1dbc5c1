import { isObject } from "../wire/index.js";
import { ASSERTIONS, type StringTests } from "./assertions.js";
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

/** The member names and item indexes of one value that a subschema has evaluated. */
type Evaluated = Set<string | number>;

/**
 * Applies a subschema to a value.
 *
 * @param seen - collects the evaluated members and items; undefined if no `unevaluated…` keyword depends on them
 */
type Check = (value: unknown, run: Run, seen?: Evaluated) => boolean;

interface Part {
  test: Check;
  /** The keyword whose requirement is reported if the test fails; undefined if the test reports issues itself. */
  readonly keyword?: string;
}

interface Compiler {
  /** Returns the part for another subschema. Its test may not have been compiled yet. */
  readonly partOf: (schema: unknown) => Part;
  readonly pathOf: (node: Node) => string;
  readonly strings: StringTests;
}

type Applicator = (node: Node, compiler: Compiler) => Check | undefined;

export function evaluationOf(schema: CopiedSchema, targets: Targets, strings: StringTests): Check {
  const parts = new Map<Node, Part>([...schema.nodes.keys()].map((node) => [node, { test: PASS }]));
  const compiler: Compiler = {
    partOf: (other) => {
      if (other === true) return { test: PASS };
      return isNode(other) ? parts.get(other)! : { test: FAIL };
    },
    pathOf: (node) => schema.nodes.get(node)!.path,
    strings,
  };
  for (const [node, part] of parts) {
    part.test = compile(node, compiler, (targets.get(node) ?? []).map(compiler.partOf));
  }
  return compiler.partOf(schema.root).test;
}

const PASS: Check = () => true;
const FAIL: Check = (value, run) => run.refuse(() => "nothing", value);

function compile(node: Node, compiler: Compiler, referred: readonly Part[]): Check {
  const parts: Part[] = [...referred];
  for (const [keyword, create] of Object.entries(ASSERTIONS)) {
    if (node[keyword] === undefined) continue;
    const test = create(node[keyword], node, compiler.pathOf(node), compiler.strings);
    parts.push({ test, keyword });
  }
  for (const applicator of APPLICATORS) {
    const test = applicator(node, compiler);
    if (test) parts.push({ test });
  }
  const check = all(parts, node);
  return remainders(node, check, compiler) ?? check;
}

function all(parts: readonly Part[], node: Node): Check {
  return (value, run, seen) => {
    if ((run.stepsLeft -= 1) <= 0) run.look();
    let fits = true;
    for (const { test, keyword } of parts) {
      if (test(value, run, seen)) continue;
      if (keyword !== undefined) refuse(run, node, keyword, value);
      if (run.issues === undefined) return false;
      fits = false;
    }
    return fits;
  };
}

function refuse(run: Run, node: Node, keyword: string, value: unknown): false {
  return run.refuse(() => expectation(node, keyword), value);
}

const APPLICATORS: readonly Applicator[] = [
  (node, { partOf }) =>
    Array.isArray(node["allOf"]) ? all(node["allOf"].map(partOf), node) : undefined,
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

/** Tests a subschema without reporting issues. The members that it has evaluated count only if the value fits. */
function attempt(part: Part, value: unknown, run: Run, seen: Evaluated | undefined): boolean {
  const evaluated: Evaluated | undefined = seen && new Set();
  const fits = run.quietly(() => part.test(value, run, evaluated));
  if (fits) for (const name of evaluated ?? []) seen!.add(name);
  return fits;
}

function alternatives(node: Node, { partOf }: Compiler): Check | undefined {
  if (node["anyOf"] === undefined) return undefined;
  const parts = (node["anyOf"] as Subschema[]).map(partOf);
  return (value, run, seen) => {
    let fits = false;
    for (const part of parts) {
      fits = attempt(part, value, run, seen) || fits;
      if (fits && seen === undefined) return true;
    }
    return fits || refuse(run, node, "anyOf", value);
  };
}

function exclusiveAlternatives(node: Node, { partOf }: Compiler): Check | undefined {
  if (node["oneOf"] === undefined) return undefined;
  const parts = (node["oneOf"] as Subschema[]).map(partOf);
  return (value, run, seen) => {
    let count = 0;
    for (const part of parts) {
      if (attempt(part, value, run, seen)) count += 1;
      if (count > 1) break;
    }
    return count === 1 || refuse(run, node, "oneOf", value);
  };
}

function negation(node: Node, { partOf }: Compiler): Check | undefined {
  if (node["not"] === undefined) return undefined;
  const part = partOf(node["not"]);
  return (value, run) => !attempt(part, value, run, undefined) || refuse(run, node, "not", value);
}

function condition(node: Node, { partOf }: Compiler): Check | undefined {
  if (node["if"] === undefined) return undefined;
  const [test, then, otherwise] = [node["if"], node["then"] ?? true, node["else"] ?? true].map(
    partOf,
  );
  return (value, run, seen) =>
    (attempt(test!, value, run, seen) ? then! : otherwise!).test(value, run, seen);
}

function requiredMembers({ required, properties = {} }: Node): Check | undefined {
  if (required === undefined) return undefined;
  const names = required as readonly string[];
  const schemaOf = (name: string): unknown =>
    Object.hasOwn(properties as Node, name) ? (properties as Node)[name] : undefined;
  const missing = (run: Run, name: string): boolean =>
    run.inside(name, () => run.refuse(() => sketch(schemaOf(name)) ?? "a value", undefined), null);
  return (value, run) => {
    if (!isObject(value)) return true;
    let fits = true;
    for (const name of names) {
      if (Object.hasOwn(value, name)) continue;
      fits = false;
      if (run.issues === undefined) return false;
      missing(run, name);
    }
    return fits;
  };
}

function dependents(node: Node, { partOf }: Compiler): Check | undefined {
  const { dependentRequired = {}, dependentSchemas = {} } = node;
  const required = Object.entries(dependentRequired as Record<string, readonly string[]>);
  const schemas = Object.entries(dependentSchemas as Record<string, Subschema>).map(
    ([name, schema]) => [name, partOf(schema)] as const,
  );
  if (required.length + schemas.length === 0) return undefined;
  return (value, run, seen) => {
    if (!isObject(value)) return true;
    const isPresent = (name: string): boolean => Object.hasOwn(value, name);
    let fits = required.every(([name, others]) => !isPresent(name) || others.every(isPresent));
    if (!fits) refuse(run, node, "dependentRequired", value);
    for (const [name, { test }] of schemas) {
      if (isPresent(name) && !test(value, run, seen)) fits = false;
    }
    return fits;
  };
}

function memberNames({ propertyNames }: Node, { partOf }: Compiler): Check | undefined {
  if (propertyNames === undefined) return undefined;
  const part: Part =
    propertyNames === false
      ? { test: (name, run) => run.refuse(() => "another name", name) }
      : partOf(propertyNames);
  return (value, run) =>
    !isObject(value) || each(Object.keys(value), run, (name) => run.inside(name, part.test, name));
}

function members(node: Node, { partOf, pathOf, strings }: Compiler): Check | undefined {
  const { properties, patternProperties, additionalProperties } = node;
  if (!properties && !patternProperties && additionalProperties === undefined) return undefined;
  const named = new Map(
    Object.entries(properties ?? {}).map(([name, schema]) => [name, partOf(schema)]),
  );
  const patterned = Object.entries(patternProperties ?? {}).map(([source, schema]) => {
    const place = `${pathOf(node)}/patternProperties${token(source)}`;
    return { matches: strings.pattern(source, place), part: partOf(schema) };
  });
  const additional = additionalProperties === undefined ? undefined : partOf(additionalProperties);
  // These are defined outside the loop, so that members of a schema without patterns need no closure.
  const appliedTo = (name: string, run: Run): typeof patterned =>
    patterned.filter(({ matches }) => matches(name, run));
  const fitAll = (applied: typeof patterned, name: string, value: unknown, run: Run): boolean =>
    each(applied, run, ({ part }) => run.inside(name, part.test, value));
  return (value, run, seen) => {
    if (!isObject(value)) return true;
    let fits = true;
    for (const name of Object.keys(value)) {
      const applied = patterned.length === 0 ? patterned : appliedTo(name, run);
      const part = named.get(name) ?? (applied.length > 0 ? undefined : additional);
      if (part || applied.length > 0) seen?.add(name);
      const fitsName = part === undefined || run.inside(name, part.test, value[name]);
      const fitsPatterns = applied.length === 0 || fitAll(applied, name, value[name], run);
      if (fitsPatterns && fitsName) continue;
      if (run.issues === undefined) return false;
      fits = false;
    }
    return fits;
  };
}

/**
 * Compiles the subschemas for items. Where newer dialects use `prefixItems` and `items`, older ones use `items` and
 * `additionalItems`.
 */
function items(node: Node, { partOf }: Compiler): Check | undefined {
  const isTuple = Array.isArray(node["items"]);
  const first = ((isTuple ? node["items"] : node["prefixItems"]) ?? []) as Subschema[];
  const others = isTuple ? node["additionalItems"] : node["items"];
  if (first.length === 0 && others === undefined) return undefined;
  const parts = first.map(partOf);
  const part = others === undefined ? undefined : partOf(others);
  return (value, run, seen) => {
    if (!Array.isArray(value)) return true;
    const count = part ? value.length : Math.min(value.length, parts.length);
    let fits = true;
    for (let index = 0; index < count; index++) {
      seen?.add(index);
      if (run.inside(index, (parts[index] ?? part!).test, value[index])) continue;
      if (run.issues === undefined) return false;
      fits = false;
    }
    return fits;
  };
}

function contained(node: Node, { partOf }: Compiler): Check | undefined {
  if (node["contains"] === undefined) return undefined;
  const part = partOf(node["contains"]);
  const tried: Check = (item, run) => attempt(part, item, run, undefined);
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
    if (count < (minimum as number)) return refuse(run, node, minimumKeyword, value);
    return count <= (maximum as number) || refuse(run, node, "maxContains", value);
  };
}

function remainders(node: Node, check: Check, { partOf }: Compiler): Check | undefined {
  const { unevaluatedProperties, unevaluatedItems } = node;
  if (unevaluatedProperties === undefined && unevaluatedItems === undefined) return undefined;
  const [ofMembers, ofItems] = [unevaluatedProperties, unevaluatedItems].map((schema) =>
    schema === undefined ? undefined : partOf(schema),
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
      return run.inside(name, rest!.test, (value as Node)[name]);
    });
    if (seen) for (const name of evaluated) seen.add(name);
    return fits && restFits;
  };
}

function each<T>(values: readonly T[], run: Run, fits: (value: T) => boolean): boolean {
  let result = true;
  for (const value of values) {
    if (fits(value)) continue;
    result = false;
    if (run.issues === undefined) return false;
  }
  return result;
}
