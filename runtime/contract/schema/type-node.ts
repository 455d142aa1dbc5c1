import type { JsonValue } from "mcp-codegen";

/** Type of the values that a JSON Schema accepts, as precise as a type can express it. */
export type TypeNode =
  | { readonly kind: "unknown" | "never" }
  | { readonly kind: "keyword"; readonly name: "string" | "number" | "boolean" | "null" }
  | { readonly kind: "literal"; readonly value: JsonValue }
  | { readonly kind: "array"; readonly element: TypeNode }
  | {
      readonly kind: "tuple";
      readonly elements: readonly TypeNode[];
      /** Minimum number of elements. */
      readonly required: number;
      readonly rest: TypeNode | undefined;
    }
  | {
      readonly kind: "object";
      readonly members: readonly TypeMember[];
      /** Type of all other members; undefined if none is described. */
      readonly index: TypeNode | undefined;
    }
  | { readonly kind: "union" | "intersection"; readonly members: readonly TypeNode[] }
  /** A place in the same document: `#/$defs/Node`. */
  | { readonly kind: "reference"; readonly target: string };

export interface TypeMember {
  readonly name: string;
  readonly isOptional: boolean;
  readonly type: TypeNode;
  readonly doc: string | undefined;
  readonly isDeprecated?: boolean;
}

/** Types of one schema. */
export interface SchemaTypes {
  readonly root: TypeNode;
  /** Referenced types, by the place of their schema. */
  readonly targets: ReadonlyMap<string, TypeNode>;
  /** Constraints that the types do not express. */
  readonly problems: readonly string[];
}

export const UNKNOWN: TypeNode = { kind: "unknown" };
export const NEVER: TypeNode = { kind: "never" };

/** A union without duplicates; a union of one member is that member. */
export function unionOf(members: readonly TypeNode[]): TypeNode {
  const flat = members.flatMap((one) => (one.kind === "union" ? one.members : [one]));
  if (flat.some(({ kind }) => kind === "unknown")) return UNKNOWN;
  const texts = new Set<string>();
  const kept = flat.filter((one) => {
    const text = JSON.stringify(one);
    return one.kind !== "never" && !texts.has(text) && texts.add(text);
  });
  return kept.length === 0
    ? NEVER
    : kept.length === 1
      ? kept[0]!
      : { kind: "union", members: kept };
}

/** An intersection without redundant members. */
export function intersectionOf(members: readonly TypeNode[]): TypeNode {
  const kept = members.filter(({ kind }) => kind !== "unknown");
  if (kept.length === 0) return UNKNOWN;
  return kept.length === 1 ? kept[0]! : { kind: "intersection", members: kept };
}
