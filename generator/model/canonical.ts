import type {
  Constraints,
  Declaration,
  Doc,
  IntersectionType,
  ObjectShape,
  TypeExpression,
  UnionType,
} from "./schema-model.js";
import type { EffectiveMember } from "./shape.js";

type Declarations = ReadonlyMap<string, Declaration>;

/**
 * Returns text that is the same for all equivalent notations of a type. Members and alternatives are sorted, nested
 * unions and intersections are flattened, constants are replaced by their values, and `any` is replaced by `unknown`.
 */
export function canonicalType(type: TypeExpression, declarations: Declarations): string {
  switch (type.kind) {
    case "keyword":
      return KEYWORDS[type.name] ?? type.name;
    case "literal":
      return JSON.stringify(type.value);
    case "typeof":
      return canonicalConstant(type.name, declarations);
    case "reference":
      return type.name;
    case "array":
      return `[${canonicalType(type.element, declarations)}]`;
    case "union":
      return `(${canonicalParts(type, declarations).join("|")})`;
    case "intersection":
      return `(${canonicalParts(type, declarations).join("&")})`;
    case "object":
      return canonicalObject(type, declarations);
    case "record":
      return `Record<string,${canonicalType(type.value, declarations)}>`;
    case "omit":
      return `Omit<${canonicalType(type.base, declarations)},${canonicalKeys(type.keys)}>`;
  }
}

const KEYWORDS: Readonly<Record<string, string>> = { any: "unknown", object: "objectKeyword" };

export function canonicalMember(member: EffectiveMember, declarations: Declarations): string {
  const types = member.types.map(({ type, constraints }) => {
    return canonicalType(type, declarations) + canonicalTags(constraints);
  });
  return (member.optional ? "?" : "") + types.join("&");
}

export function canonicalObject(shape: ObjectShape, declarations: Declarations): string {
  const parts = shape.members
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, optional, type, constraints, doc }) => {
      const text = canonicalType(type, declarations) + canonicalTags(constraints, doc);
      return `${JSON.stringify(name)}${optional ? "?" : ""}:${text}`;
    });
  if (shape.index) parts.push(`[string]:${canonicalType(shape.index.type, declarations)}`);
  return `{${parts.join(";")}}`;
}

export function canonicalTags(constraints: Constraints | undefined, doc?: Doc): string {
  const tags = Object.entries(constraints ?? {}).map(([name, value]) => {
    return `@${name === "number" ? "TJS-type" : name}=${value}`;
  });
  if (doc?.tags.some(({ name }) => name === "nullable")) tags.push("@nullable");
  return tags.toSorted().join("");
}

function canonicalConstant(name: string, declarations: Declarations): string {
  const target = declarations.get(name);
  return target?.kind === "const" ? JSON.stringify(target.value) : `typeof ${name}`;
}

function canonicalKeys(keys: readonly string[]): string {
  const texts = distinct(keys.map((key) => JSON.stringify(key)));
  return keys.length === 1 ? texts[0]! : `(${texts.join("|")})`;
}

function canonicalParts(
  type: UnionType | IntersectionType,
  declarations: Declarations,
): readonly string[] {
  return distinct(flat(type, type.kind).map((member) => canonicalType(member, declarations)));
}

function flat(type: TypeExpression, kind: "union" | "intersection"): readonly TypeExpression[] {
  return type.kind === kind ? type.members.flatMap((member) => flat(member, kind)) : [type];
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted();
}
