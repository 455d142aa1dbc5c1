import type { JsonValue } from "mcp-codegen";

/** Type of the values that a JSON Schema accepts, as far as a type can say it. */
export type TypeNode =
  | { readonly kind: "unknown" | "never" }
  | { readonly kind: "keyword"; readonly name: "string" | "number" | "boolean" | "null" }
  | { readonly kind: "literal"; readonly value: JsonValue }
  | { readonly kind: "array"; readonly element: TypeNode }
  | {
      readonly kind: "tuple";
      readonly elements: readonly TypeNode[];
      /** Number of elements that have to be there. */
      readonly required: number;
      readonly rest: TypeNode | undefined;
    }
  | {
      readonly kind: "object";
      readonly members: readonly TypeMember[];
      /** Type of all other members; undefined where none is described. */
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
  /** Types that are referred to, by the place of their schema. */
  readonly targets: ReadonlyMap<string, TypeNode>;
  /** Parts that the types leave open. */
  readonly problems: readonly string[];
}

export const UNKNOWN: TypeNode = { kind: "unknown" };
export const NEVER: TypeNode = { kind: "never" };

/** A union without repetitions; of one member, that member. */
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

/** An intersection without what adds nothing. */
export function intersectionOf(members: readonly TypeNode[]): TypeNode {
  const kept = members.filter(({ kind }) => kind !== "unknown");
  if (kept.length === 0) return UNKNOWN;
  return kept.length === 1 ? kept[0]! : { kind: "intersection", members: kept };
}
