import type { VALIDATOR_IMPORTS } from "../../plan/runtime-imports.js";
import { type Code, code, EMPTY, join } from "../printer/code.js";
import { literal } from "../printer/literal.js";
import type { ImportedSymbol } from "../printer/symbol.js";
import type { Check } from "./check.js";
import { isInline } from "./check.js";
import type { Functions } from "./functions.js";

/** Names of the runtime as symbols, so that a module imports just what it uses. */
export type Runtime = (name: keyof typeof VALIDATOR_IMPORTS) => ImportedSymbol;

/** What the printing of one function needs. */
export interface Scope {
  readonly functions: Functions;
  readonly runtime: Runtime;
  /** Name for private functions that are needed here: `Tool_inputSchema`. */
  readonly path: string;
  /** Whether the function has the parameter `depth`. */
  readonly deep: boolean;
}

/** A boolean expression: whether `value`, an expression without side effects, passes. */
export function condition(check: Check, value: Code, scope: Scope, depth: Code): Code {
  if (!isInline(check)) return call(check, value, scope, depth);
  const { runtime } = scope;
  switch (check.kind) {
    case "any":
      return code`${value} !== undefined`;
    case "never":
      return code`false`;
    case "null":
      return code`${value} === null`;
    case "literal":
      return code`${value} === ${literal(check.value)}`;
    case "string":
      return code`typeof ${value} === "string"${within("hasLength", value, check.minLength, check.maxLength, runtime)}`;
    case "number": {
      const test = runtime(check.integer ? "isInteger" : "isNumber");
      return code`${test}(${value})${within("isBetween", value, check.minimum, check.maximum, runtime)}`;
    }
    case "anyOf":
      return join(
        check.arms.map((arm) => condition(arm, value, scope, depth)),
        code` || `,
      );
    case "array":
      return code`${runtime("isArray")}(${value})`;
    case "object":
      return code`${runtime("isObject")}(${value})`;
    default:
      return code`typeof ${value} === "boolean"`;
  }
}

/** The function for a check, to be passed on. */
export function validator(check: Check, { functions, runtime, path }: Scope): Code {
  const own = runtimeValidator(check, runtime);
  return own ? code`${own}` : functions.reference(check, path);
}

/** The argument `depth` for a function that counts levels, with a comma before it; else nothing. */
export function depthFor(check: Check, { functions, deep }: Scope, depth: Code): Code {
  return deep && functions.isDeep(check) ? code`, ${depth}` : EMPTY;
}

/** The validator that the runtime has for a check, if any. */
export function runtimeValidator(check: Check, runtime: Runtime): ImportedSymbol | undefined {
  switch (check.kind) {
    case "string":
      return isLimited(check.minLength, check.maxLength) ? undefined : runtime("isString");
    case "number":
      if (isLimited(check.minimum, check.maximum)) return undefined;
      return runtime(check.integer ? "isInteger" : "isNumber");
    case "boolean":
      return runtime("isBoolean");
    case "array":
      return isInline(check) ? runtime("isArray") : undefined;
    case "object":
      return isInline(check) ? runtime("isObject") : undefined;
    default:
      return undefined;
  }
}

/** What the runtime takes to ask a value again: the function for a check, or the one literal. */
export function expectation(check: Check, scope: Scope): Code {
  if (check.kind === "literal") return literal(check.value);
  return check.kind === "any" ? code`${scope.runtime("isDefined")}` : validator(check, scope);
}

/**
 * Reads a member of `owner`; by name only where no object inherits something under that name. In brackets, for
 * the compilers of those who set `noPropertyAccessFromIndexSignature`.
 */
export function access(owner: Code, name: string, runtime: Runtime): Code {
  if (INHERITED.has(name)) return code`${runtime("ownMember")}(${owner}, ${literal(name)})`;
  return code`${owner}[${literal(name)}]`;
}

/** Asks the function for a check. */
export function call(check: Check, value: Code, scope: Scope, depth: Code): Code {
  const name = scope.functions.reference(check, scope.path);
  const level = depthFor(check, scope, depth);
  return level === EMPTY ? code`${name}(${value})` : code`${name}(${value}, undefined${level})`;
}

function within(
  test: "hasLength" | "isBetween",
  value: Code,
  minimum: number | undefined,
  maximum: number | undefined,
  runtime: Runtime,
): Code {
  if (!isLimited(minimum, maximum)) return EMPTY;
  const from = minimum === undefined ? code`-Infinity` : literal(minimum);
  const to = maximum === undefined ? code`Infinity` : literal(maximum);
  return code` && ${runtime(test)}(${value}, ${from}, ${to})`;
}

function isLimited(minimum: number | undefined, maximum: number | undefined): boolean {
  return minimum !== undefined || maximum !== undefined;
}

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
