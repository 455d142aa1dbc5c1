/**
 * What a value must be, with everything evaluated that is said about types in a schema: aliases of
 * scalars, heritage, overrides, tags. The normal form that validators are printed from.
 */
export type Check =
  | { readonly kind: "any" | "never" | "null" | "boolean" }
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | StringCheck
  | NumberCheck
  | ArrayCheck
  | ObjectCheck
  | { readonly kind: "anyOf"; readonly arms: readonly Check[] }
  | { readonly kind: "allOf"; readonly parts: readonly Check[] }
  /** A declaration, by name. */
  | { readonly kind: "call"; readonly name: string };

export interface StringCheck {
  readonly kind: "string";
  readonly minLength?: number;
  readonly maxLength?: number;
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

/** Objects are open: members that are not named may be anything, unless `index` says otherwise. */
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

/** Whether the check fits into one expression, so that it needs no function of its own. */
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

/** Whether the runtime knows it by name, or it is one literal: what may be said in place, again and again. */
export function isSimple(check: Check): boolean {
  switch (check.kind) {
    case "string":
      return check.minLength === undefined && check.maxLength === undefined;
    case "number":
      return check.minimum === undefined && check.maximum === undefined;
    case "anyOf":
    case "never":
    case "null":
      return false;
    default:
      return isInline(check);
  }
}

export function isScalar({ kind }: Check): boolean {
  return !["any", "never", "array", "object", "anyOf", "allOf", "call"].includes(kind);
}

export function isBounded({ minItems, maxItems }: ArrayCheck): boolean {
  return minItems !== undefined || maxItems !== undefined;
}

const MAX_INLINE_ARMS = 4;
