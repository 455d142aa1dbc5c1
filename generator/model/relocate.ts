import type { Span } from "../diagnostics.js";
import type { Declaration, ObjectShape, TypeExpression } from "./schema-model.js";

export type Rename = (name: string) => string;

/** Copies a declaration into another schema, with new names. All of its parts receive the position `span`. */
export function relocate(declaration: Declaration, rename: Rename, span: Span): Declaration {
  const name = rename(declaration.name);
  switch (declaration.kind) {
    case "const":
      return { ...declaration, name, span };
    case "alias":
      return { ...declaration, name, type: relocateType(declaration.type, rename, span), span };
    case "interface": {
      const bases = declaration.extends.map((base) => relocateType(base, rename, span));
      return {
        ...declaration,
        name,
        extends: bases,
        ...relocateShape(declaration, rename, span),
        span,
      };
    }
  }
}

function relocateShape(shape: ObjectShape, rename: Rename, span: Span): ObjectShape {
  const { members, index } = shape;
  return {
    members: members.map((member) => {
      return { ...member, type: relocateType(member.type, rename, span), span };
    }),
    ...(index && { index: { ...index, type: relocateType(index.type, rename, span), span } }),
  };
}

function relocateType(type: TypeExpression, rename: Rename, span: Span): TypeExpression {
  const inner = (nested: TypeExpression) => relocateType(nested, rename, span);
  switch (type.kind) {
    case "keyword":
    case "literal":
      return { ...type, span };
    case "reference":
    case "typeof":
      return { ...type, name: rename(type.name), span };
    case "array":
      return { ...type, element: inner(type.element), span };
    case "union":
    case "intersection":
      return { ...type, members: type.members.map(inner), span };
    case "record":
      return { ...type, value: inner(type.value), span };
    case "omit":
      return { ...type, base: inner(type.base), span };
    case "object":
      return { kind: "object", ...relocateShape(type, rename, span), span };
  }
}
