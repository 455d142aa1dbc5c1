import type { VALIDATOR_IMPORTS } from "../../plan/runtime-imports.js";

/**
 * A constraint on a value, in the normal form from which validators are printed: inheritance, overrides and tags have
 * already been evaluated.
 */
export type Check = Demand & {
  /** The value's formats, separated by spaces. They are used only in descriptions and in content tests. */
  readonly format?: string;
};

type Demand =
  | { readonly kind: "any" | "never" | "null" | "boolean" }
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | StringCheck
  | NumberCheck
  | ArrayCheck
  | ObjectCheck
  | { readonly kind: "anyOf"; readonly arms: readonly Check[] }
  | { readonly kind: "allOf"; readonly parts: readonly Check[] }
  /** The check of the declaration with this name. */
  | { readonly kind: "call"; readonly name: string };

export interface StringCheck {
  readonly kind: "string";
  readonly minLength?: number;
  readonly maxLength?: number;
  /** A regular expression, used with the flag `u`. */
  readonly pattern?: string;
}

export interface NumberCheck {
  readonly kind: "number";
  readonly integer: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface ArrayCheck {
  readonly kind: "array";
  readonly element: Check;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** The check for an object. Objects are open: unnamed members may have any value, unless `index` restricts them. */
export interface ObjectCheck {
  readonly kind: "object";
  readonly members: readonly MemberCheck[];
  readonly index?: Check;
}

export interface MemberCheck {
  readonly name: string;
  readonly optional: boolean;
  readonly check: Check;
}

/** Returns true if a check fits into one expression, and therefore does not need its own function. */
export function isInline(check: Check): boolean {
  switch (check.kind) {
    case "array":
      return check.element.kind === "any" && !isBounded(check);
    case "object":
      return check.members.length === 0 && check.index === undefined;
    case "anyOf":
      return check.arms.length <= MAX_INLINE_ARMS && check.arms.every(isScalar);
    case "allOf":
    case "call":
      return false;
    default:
      return true;
  }
}

export function isScalar({ kind }: Check): boolean {
  return !["any", "never", "array", "object", "anyOf", "allOf", "call"].includes(kind);
}

export function isBounded({ minItems, maxItems }: ArrayCheck): boolean {
  return minItems !== undefined || maxItems !== undefined;
}

const MAX_INLINE_ARMS = 4;

export function anyOf(arms: readonly Check[]): Check {
  const flat = unique(arms.flatMap((arm) => (arm.kind === "anyOf" ? arm.arms : [arm])));
  if (flat.some(({ kind }) => kind === "any")) return { kind: "any" };
  const kept = flat.filter(
    (arm) => arm.kind !== "never" && !flat.some((other) => other !== arm && covers(other, arm)),
  );
  if (kept.length === 0) return { kind: "never" };
  return kept.length === 1 ? kept[0]! : { kind: "anyOf", arms: kept };
}

export function allOf(parts: readonly Check[]): Check {
  const stated = unique(parts.filter(({ kind }) => kind !== "any"));
  const kept = unique(
    stated.map((part) =>
      anyOf(
        (part.kind === "anyOf" ? part.arms : [part]).filter((arm) =>
          stated.every((other) => mayOverlap(arm, other)),
        ),
      ),
    ),
  );
  if (kept.some(({ kind }) => kind === "never")) return { kind: "never" };
  const narrow = kept.filter(
    (part) => !kept.some((other) => other !== part && covers(part, other)),
  );
  if (narrow.length === 0) return { kind: "any" };
  return narrow.length === 1 ? narrow[0]! : { kind: "allOf", parts: narrow };
}

/** Returns false if the kinds or literals of two checks show that no value can pass both. */
function mayOverlap(one: Check, other: Check): boolean {
  if (one.kind === "never" || other.kind === "never") return false;
  if (isOpaque(one) || isOpaque(other)) return true;
  if (one.kind === "anyOf") return one.arms.some((arm) => mayOverlap(arm, other));
  if (other.kind === "anyOf") return mayOverlap(other, one);
  if (one.kind === "literal" && other.kind === "literal") return one.value === other.value;
  return valueKind(one) === valueKind(other);
}

/** Returns true if a check's kind does not show which values pass it. */
function isOpaque({ kind }: Check): boolean {
  return kind === "any" || kind === "call" || kind === "allOf";
}

/**
 * Returns the JSON type of the values that pass a check; the check's kind if there are several types, or if the type
 * is unknown.
 */
export function valueKind(check: Check): string {
  return check.kind === "literal" ? typeof check.value : check.kind;
}

/**
 * Returns true if a literal is certain to pass a scalar check. A string check with constraints does not cover any
 * literal, because its constraints are not evaluated.
 */
function covers(check: Check, literal: Check): boolean {
  if (literal.kind !== "literal") return false;
  switch (check.kind) {
    case "string":
      return typeof literal.value === "string" && isPlainString(check);
    case "boolean":
      return typeof literal.value === "boolean";
    case "number":
      return (
        typeof literal.value === "number" &&
        (!check.integer || Number.isInteger(literal.value)) &&
        literal.value >= (check.minimum ?? literal.value) &&
        literal.value <= (check.maximum ?? literal.value)
      );
    default:
      return false;
  }
}

function unique(checks: readonly Check[]): Check[] {
  return [...new Map(checks.map((check) => [JSON.stringify(check), check])).values()];
}

export function isPlainString({ minLength, maxLength, pattern }: StringCheck): boolean {
  return (minLength ?? maxLength ?? pattern) === undefined;
}

export function recursiveNames(checks: ReadonlyMap<string, Check>): ReadonlySet<string> {
  const calls = new Map([...checks].map(([name, check]) => [name, callsOf(check)]));
  return new Set([...calls.keys()].filter((name) => reaches(name, name, calls)));
}

export function callsOf(check: Check): string[] {
  return check.kind === "call" ? [check.name] : innerChecks(check).flatMap(callsOf);
}

export function innerChecks(check: Check): readonly Check[] {
  switch (check.kind) {
    case "array":
      return [check.element];
    case "anyOf":
      return check.arms;
    case "allOf":
      return check.parts;
    case "object":
      return [
        ...check.members.map((member) => member.check),
        ...(check.index ? [check.index] : []),
      ];
    default:
      return [];
  }
}

export function referencedNames(checks: readonly Check[]): ReadonlySet<string> {
  return new Set(checks.flatMap(callsOf));
}

function reaches(
  from: string,
  target: string,
  calls: ReadonlyMap<string, readonly string[]>,
): boolean {
  const seen = new Set<string>();
  const queue = [...(calls.get(from) ?? [])];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (name === target) return true;
    if (seen.has(name)) continue;
    seen.add(name);
    queue.push(...(calls.get(name) ?? []));
  }
  return false;
}

export function runtimeTest(check: Check): keyof typeof VALIDATOR_IMPORTS | undefined {
  if (!isInline(check)) return undefined;
  switch (check.kind) {
    case "string":
      return isPlainString(check) ? "isString" : undefined;
    case "number":
      if ((check.minimum ?? check.maximum) !== undefined) return undefined;
      return check.integer ? "isInteger" : "isNumber";
    case "boolean":
      return "isBoolean";
    case "never":
      return "isNever";
    case "array":
      return "isArray";
    case "object":
      return "isObject";
    default:
      return undefined;
  }
}
