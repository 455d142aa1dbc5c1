import type { SHAPE_IMPORTS, VALIDATOR_IMPORTS } from "../../plan/runtime-imports.js";
import { type Code, code, EMPTY, type ImportedSymbol, join, literal } from "../printer/code.js";
import {
  type ArrayCheck,
  type Check,
  isBounded,
  isInline,
  type MemberCheck,
  type StringCheck,
  runtimeTest,
} from "./check.js";
import type { Functions } from "./functions.js";

/** Returns the import of a runtime name. Only names that are in use are imported. */
export type Runtime = (
  name: keyof typeof VALIDATOR_IMPORTS | keyof typeof SHAPE_IMPORTS,
) => ImportedSymbol;

export interface Scope {
  readonly functions: Functions;
  readonly runtime: Runtime;
  /** The place in the schema, after which private functions are named, such as `Tool_inputSchema`. */
  readonly path: string;
  /**
   * True if the function has the parameter `depth`, which is the number of nesting levels that its value may still
   * have.
   */
  readonly deep: boolean;
}

/**
 * The place of a check relative to its function: the function's `own` check, an alternative or a part at the `same`
 * level, or a member or element one level `below`.
 */
export type Level = "own" | "same" | "below";

/**
 * Returns a boolean expression that is true if a value passes the check.
 *
 * @param value - an expression without side effects
 */
export function condition(checkOrReference: Check, value: Code, scope: Scope, level: Level): Code {
  const { functions, runtime } = scope;
  const check = functions.inlined(checkOrReference);
  switch (check.kind) {
    case "any":
      return code`${value} !== undefined`;
    case "never":
      return code`false`;
    case "null":
      return code`${value} === null`;
    case "boolean":
      return code`typeof ${value} === "boolean"`;
    case "literal":
      return code`${value} === ${literal(check.value)}`;
    case "string":
      return runtimeTest(check)
        ? code`typeof ${value} === "string"`
        : stringCondition(check, value, runtime);
    case "number":
      return numberCondition(check, value, runtime);
    case "array":
      return arrayCondition(check, value, scope, level);
    case "anyOf":
      if (!isInline(check)) break;
      return code`(${join(
        check.arms.map((arm) => condition(arm, value, scope, level)),
        code` || `,
      )})`;
    case "object":
      if (isInline(check)) return code`${runtime("isObject")}(${value})`;
      if (check.members.length > 0 || !check.index) break;
      return mapCondition(check.index, value, scope, depthOf(check, scope, level));
  }
  const depth = depthOf(checkOrReference, scope, level);
  return code`${test(checkOrReference, scope)}(${value}${depth && scope.deep ? code`, ${depth}` : EMPTY})`;
}

export function memberCondition(
  { name, optional, check }: MemberCheck,
  owner: Code,
  scope: Scope,
): Code[] {
  if (optional && check.kind === "any") return [];
  const value = access(owner, name, scope.runtime);
  if (optional && check.kind === "never") return [code`${value} === undefined`];
  const inner = memberScope(scope, name);
  if (!optional) return [condition(check, value, inner, "below")];
  const inlined = scope.functions.inlined(check);
  const shared = OPTIONAL.get(inlined.kind);
  return shared && runtimeTest(inlined)
    ? [code`${scope.runtime(shared)}(${value})`]
    : [code`(${value} === undefined || ${condition(check, value, inner, "below")})`];
}

export function mapCondition(
  index: Check,
  value: Code,
  scope: Scope,
  depth: Code | undefined,
  except: readonly string[] = [],
): Code {
  const inner = { ...scope, path: `${scope.path}_value` };
  const names = except.length > 0 ? code`, ${literal(except)}` : EMPTY;
  const level = depth ?? (except.length > 0 ? code`undefined` : undefined);
  const args = code`${value}, ${argument(index, inner)}${level ? code`, ${level}` : EMPTY}${names}`;
  return code`${scope.runtime("isMapOf")}(${args})`;
}

export function test(check: Check, { functions, runtime, path }: Scope): Code {
  const shared = runtimeTest(functions.inlined(check));
  return shared ? code`${runtime(shared)}` : functions.reference(check, path);
}

/** Returns a value's test as a function that can be passed to a test of all elements or members. */
function argument(check: Check, { functions, runtime, path }: Scope): Code {
  const shared = runtimeTest(functions.inlined(check));
  return shared ? code`${runtime(shared)}` : functions.argument(check, path);
}

/**
 * Returns an expression that reads a member of `owner`. Properties that every object inherits are read by a runtime
 * function. Brackets are needed because of the compiler option `noPropertyAccessFromIndexSignature`.
 */
export function access(owner: Code, name: string, runtime: Runtime): Code {
  if (INHERITED.has(name)) return code`${runtime("ownMember")}(${owner}, ${literal(name)})`;
  return code`${owner}[${literal(name)}]`;
}

export function memberScope(scope: Scope, name: string): Scope {
  return { ...scope, path: `${scope.path}_${name.replaceAll(/[^A-Za-z0-9_$]+/g, "_")}` };
}

function stringCondition(
  { minLength, maxLength, pattern }: StringCheck,
  value: Code,
  runtime: Runtime,
): Code {
  const length = code`${runtime("hasLength")}(${value}, ${limits(minLength, maxLength)})`;
  if (pattern === undefined) return length;
  const match = code`${runtime("matches")}(${value}, ${literal(pattern)})`;
  return (minLength ?? maxLength) !== undefined ? code`${length} && ${match}` : match;
}

function numberCondition(
  { integer, minimum, maximum }: Check & { kind: "number" },
  value: Code,
  runtime: Runtime,
): Code {
  const isNumber = code`${runtime(integer ? "isInteger" : "isNumber")}(${value})`;
  if ((minimum ?? maximum) === undefined) return isNumber;
  return code`${isNumber} && ${runtime("isBetween")}(${value}, ${limits(minimum, maximum)})`;
}

function arrayCondition(check: ArrayCheck, value: Code, scope: Scope, level: Level): Code {
  const { element, minItems, maxItems } = check;
  const { runtime } = scope;
  if (isInline(check)) return code`${runtime("isArray")}(${value})`;
  const size = isBounded(check)
    ? [code`${runtime("hasItems")}(${value}, ${limits(minItems, maxItems)})`]
    : [];
  const depth = depthOf(check, scope, level);
  if (element.kind === "any") return join(size, code` && `);
  const tested = argument(element, { ...scope, path: `${scope.path}_item` });
  const elements = code`${runtime("isArrayOf")}(${value}, ${tested}${depth ? code`, ${depth}` : EMPTY})`;
  return join([...size, elements], code` && `);
}

/**
 * Returns the `depth` argument for a check that counts nesting levels; undefined if the check does not count any, or if
 * the parameter's default applies.
 */
function depthOf(
  check: Check,
  { functions, runtime, deep }: Scope,
  level: Level,
): Code | undefined {
  if (!functions.isDeep(check)) return undefined;
  if (deep) return level === "below" ? code`depth - 1` : code`depth`;
  return level === "own" ? undefined : code`${runtime("MAX_DEPTH")}`;
}

export function limits(minimum: number | undefined, maximum: number | undefined): Code {
  const from = minimum === undefined ? code`-Infinity` : literal(minimum);
  const to = maximum === undefined ? code`Infinity` : literal(maximum);
  return code`${from}, ${to}`;
}

const OPTIONAL: ReadonlyMap<Check["kind"], keyof typeof VALIDATOR_IMPORTS> = new Map([
  ["string", "isOptionalString"],
  ["boolean", "isOptionalBoolean"],
  ["object", "isOptionalObject"],
]);

const INHERITED: ReadonlySet<string> = new Set([
  "__defineGetter__",
  "__defineSetter__",
  "__lookupGetter__",
  "__lookupSetter__",
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "isPrototypeOf",
  "propertyIsEnumerable",
  "toLocaleString",
  "toString",
  "valueOf",
]);
