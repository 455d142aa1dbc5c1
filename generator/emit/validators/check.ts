/**
 * Demand on a value, in the normal form that validators are printed from: aliases of scalars, heritage, overrides and
 * tags of the schema are evaluated.
 */
export type Check = Demand & {
  /** Formats of the values, separated by spaces; only in descriptions. */
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
  /** The check of a declaration, by its name. */
  | { readonly kind: "call"; readonly name: string };

export interface StringCheck {
  readonly kind: "string";
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Regular expression with the flag `u`. */
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

/** True for a check that fits into one expression on one value, so that it needs no function of its own. */
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
