import type { JsonObject, JsonValue } from "../link/protocol.js";
import type {
  Constraints,
  Declaration,
  Doc,
  IndexSignature,
  ObjectShape,
  TypeExpression,
} from "../model/schema-model.js";

export function declarationData(declaration: Declaration): JsonObject {
  const { name, kind, section, imported, doc } = declaration;
  const tail = {
    ...(section && { section }),
    ...(imported && { imported: { ...imported } }),
    ...(doc && docData(doc)),
  };
  if (declaration.kind === "const") return { name, kind, value: declaration.value, ...tail };
  if (declaration.kind === "alias") {
    const { type, constraints } = declaration;
    return { name, kind, type: typeData(type), ...constraintsData(constraints), ...tail };
  }
  const bases = declaration.extends.map(typeData);
  return {
    name,
    kind,
    ...(bases.length > 0 && { extends: bases }),
    ...shapeData(declaration),
    ...tail,
  };
}

/**
 * Returns a type in the shortest JSON form. A string is the name of either a built-in type or a declaration; the two
 * cannot clash, because TypeScript reserves the names of built-in types.
 */
function typeData(type: TypeExpression): JsonValue {
  switch (type.kind) {
    case "keyword":
    case "reference":
      return type.name;
    case "literal":
      return { const: type.value };
    case "typeof":
      return { typeof: type.name };
    case "array":
      return { array: typeData(type.element) };
    case "record":
      return { map: typeData(type.value) };
    case "union":
      return { anyOf: type.members.map(typeData) };
    case "intersection":
      return { allOf: type.members.map(typeData) };
    case "omit":
      return { omit: type.keys, from: typeData(type.base) };
    case "object":
      return shapeData(type);
  }
}

function shapeData({ members, index }: ObjectShape): JsonObject {
  return {
    members: members.map(({ name, optional, type, constraints, doc }) => ({
      name,
      ...(optional && { optional }),
      type: typeData(type),
      ...constraintsData(constraints),
      ...(doc && docData(doc)),
    })),
    ...(index && { index: indexData(index) }),
  };
}

function indexData({ keyName, type, doc }: IndexSignature): JsonObject {
  return { keyName, type: typeData(type), ...(doc && docData(doc)) };
}

function constraintsData(constraints: Constraints | undefined): JsonObject {
  return constraints ? { constraints: { ...constraints } } : {};
}

function docData({ text, tags }: Doc): JsonObject {
  const tagged = (tagName: string) => tags.filter(({ name }) => name === tagName);
  const [deprecated] = tagged("deprecated");
  const see = tagged("see").map((tag) => tag.text);
  return {
    ...(text && { doc: text }),
    ...(deprecated && { deprecated: deprecated.text || true }),
    ...(see.length > 0 && { see }),
  };
}
