import type { JsonValue } from "mcp-codegen";
import {
  type Code,
  EMPTY,
  code,
  identifier,
  join,
  jsDoc,
  literal,
  memberName,
} from "mcp-codegen/emit";

export type TypeNode =
  | { readonly kind: "unknown" | "never" }
  | { readonly kind: "keyword"; readonly name: "string" | "number" | "boolean" | "null" }
  | { readonly kind: "literal"; readonly value: JsonValue }
  | { readonly kind: "array"; readonly element: TypeNode }
  | {
      readonly kind: "tuple";
      readonly elements: readonly TypeNode[];
      readonly required: number;
      readonly rest: TypeNode | undefined;
    }
  | {
      readonly kind: "object";
      readonly members: readonly TypeMember[];
      /**
       * The type of the members that the schema does not name, or undefined if it does not describe any such members.
       */
      readonly index: TypeNode | undefined;
    }
  | { readonly kind: "union" | "intersection"; readonly members: readonly TypeNode[] }
  /** A reference to a subschema of the same document: `#/$defs/Node`. */
  | { readonly kind: "reference"; readonly target: string };

export interface TypeMember {
  readonly name: string;
  readonly isOptional: boolean;
  readonly type: TypeNode;
  readonly doc: string | undefined;
  readonly isDeprecated?: boolean;
}

export interface SchemaTypes {
  readonly root: TypeNode;
  readonly targets: ReadonlyMap<string, TypeNode>;
  /** The parts of the schema that the types do not express, as messages. */
  readonly problems: readonly string[];
}

export const UNKNOWN: TypeNode = { kind: "unknown" };
export const NEVER: TypeNode = { kind: "never" };

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

export function intersectionOf(members: readonly TypeNode[]): TypeNode {
  const kept = members.filter(({ kind }) => kind !== "unknown");
  if (kept.length === 0) return UNKNOWN;
  return kept.length === 1 ? kept[0]! : { kind: "intersection", members: kept };
}

/** The maximum length of a doc comment from a server, in characters. */
const MAX_DOC = 4000;

export function printType(node: TypeNode, nameOf: (target: string) => string): Code {
  const print = (one: TypeNode): Code => printType(one, nameOf);
  switch (node.kind) {
    case "unknown":
    case "never":
      return { parts: [node.kind] };
    case "keyword":
      return { parts: [node.name] };
    case "literal":
      return literal(node.value);
    case "reference":
      return identifier(nameOf(node.target));
    case "array":
      return code`Array<${print(node.element)}>`;
    case "tuple":
      return printTuple(node, print);
    case "union":
      return join(
        node.members.map((one) => operand(one, print)),
        code` | `,
      );
    case "intersection":
      return join(
        node.members.map((one) => operand(one, print)),
        code` & `,
      );
    case "object":
      return printObject(node.members, node.index, print);
  }
}

function operand(node: TypeNode, print: (one: TypeNode) => Code): Code {
  const isCompound = node.kind === "union" || node.kind === "intersection";
  return isCompound ? code`(${print(node)})` : print(node);
}

function printTuple(
  { elements, required, rest }: Extract<TypeNode, { kind: "tuple" }>,
  print: (one: TypeNode) => Code,
): Code {
  const parts = elements.map((one, index) =>
    index < required ? print(one) : code`(${print(one)})?`,
  );
  if (rest) parts.push(code`...Array<${print(rest)}>`);
  return code`[${join(parts, code`, `)}]`;
}

function printObject(
  members: readonly TypeMember[],
  index: TypeNode | undefined,
  print: (one: TypeNode) => Code,
): Code {
  if (members.length === 0 && index === undefined) return code`Record<string, never>`;
  const lines = members.map(
    ({ name, isOptional, type, doc, isDeprecated }) =>
      code`${comment(doc, isDeprecated)}${memberName(name)}${isOptional ? code`?` : EMPTY}: ${print(type)};\n`,
  );
  if (index) {
    // The index signature's type must include those of the named members.
    const all = unionOf([index, ...members.map(({ type }) => type)]);
    const hasOptional = members.some(({ isOptional }) => isOptional) && all.kind !== "unknown";
    lines.push(
      code`[name: string]: ${operand(all, print)}${hasOptional ? code` | undefined` : EMPTY};\n`,
    );
  }
  return code`{\n${lines}}`;
}

export function comment(text: string | undefined, isDeprecated = false): Code {
  const isEmpty = text === undefined || text.trim() === "";
  if (isEmpty && !isDeprecated) return EMPTY;
  const shown = isEmpty ? "" : text.length > MAX_DOC ? `${text.slice(0, MAX_DOC)}…` : text;
  return jsDoc({ text: shown, tags: isDeprecated ? [{ name: "deprecated", text: "" }] : [] });
}
