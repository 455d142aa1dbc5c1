import type { Method } from "../link/protocol.js";
import type { TypeExpression } from "../model/schema-model.js";
import type { Shapes } from "../model/shape.js";
import { isIdentifier } from "./identifiers.js";

/** An array that a result requires. */
export interface List {
  readonly member: string;
  /** Name of the items' type; undefined when they are of a type without a name. */
  readonly item: string | undefined;
}

/** The arrays that the result of a request requires. */
export function listsOf({ result }: Method, shapes: Shapes): List[] {
  const members = [...(result ? (shapes.named(result.type)?.members.values() ?? []) : [])];
  return members
    .filter(({ optional, name }) => !optional && isIdentifier(name))
    .flatMap(({ name, types }) => {
      const element = types[0] && elementOf(types[0].type, shapes);
      return element ? [{ member: name, item: nameOf(element) }] : [];
    });
}

function elementOf(type: TypeExpression, shapes: Shapes): TypeExpression | undefined {
  if (type.kind === "array") return type.element;
  if (type.kind !== "reference") return undefined;
  const declaration = shapes.declaration(type.name);
  return declaration?.kind === "alias" && declaration.type.kind === "array"
    ? declaration.type.element
    : undefined;
}

function nameOf(type: TypeExpression): string | undefined {
  return type.kind === "reference" ? type.name : undefined;
}
