import type { Declaration, ObjectShape, TypeExpression } from "./schema-model.js";

/** Yields every type expression in a declaration: those of bases first, and outer ones before inner ones. */
export function* typesIn(declaration: Declaration): Generator<TypeExpression> {
  if (declaration.kind === "const") return;
  if (declaration.kind === "alias") {
    yield* withInner(declaration.type);
    return;
  }
  for (const base of declaration.extends) yield* withInner(base);
  for (const type of memberTypes(declaration)) yield* withInner(type);
}

export function* namesIn(declaration: Declaration): Generator<string> {
  for (const type of typesIn(declaration)) {
    if (type.kind === "reference" || type.kind === "typeof") yield type.name;
  }
}

function* withInner(type: TypeExpression): Generator<TypeExpression> {
  yield type;
  for (const inner of innerTypes(type)) yield* withInner(inner);
}

function innerTypes(type: TypeExpression): readonly TypeExpression[] {
  switch (type.kind) {
    case "array":
      return [type.element];
    case "union":
    case "intersection":
      return type.members;
    case "record":
      return [type.value];
    case "omit":
      return [type.base];
    case "object":
      return memberTypes(type);
    default:
      return [];
  }
}

function memberTypes({ members, index }: ObjectShape): readonly TypeExpression[] {
  return [...members.map(({ type }) => type), ...(index ? [index.type] : [])];
}
