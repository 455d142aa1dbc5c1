import type { TypeExpression } from "../model/schema-model.js";
import type { Shapes } from "../model/shape.js";

/** True if the type admits every JSON value: `unknown`, or a union of all kinds of JSON. */
export function isAnyJson(
  type: TypeExpression,
  shapes: Shapes,
  assumed: ReadonlySet<string> = new Set(),
): boolean {
  if (type.kind === "keyword") return type.name === "unknown" || type.name === "any";
  if (type.kind !== "reference" && type.kind !== "union") return false;
  if (type.kind === "reference" && assumed.has(type.name)) return true;
  const within = type.kind === "reference" ? new Set([...assumed, type.name]) : assumed;
  const arms = shapes.arms(type);
  if (arms.length === 1 && arms[0] === type) return false;
  const scalars = ["string", "number", "boolean", "null"].every((name) =>
    arms.some((arm) => arm.kind === "keyword" && arm.name === name),
  );
  return (
    scalars &&
    arms.some((arm) => isAnyObject(arm, shapes, within)) &&
    arms.some((arm) => isAnyArray(arm, shapes, within))
  );
}

/** True if the type admits every JSON object: `object`, `{}`, or an open map of any JSON. */
export function isAnyObject(
  type: TypeExpression,
  shapes: Shapes,
  assumed: ReadonlySet<string> = new Set(),
): boolean {
  if (type.kind === "keyword") return type.name === "object";
  const shape = shapes.of(type);
  if (!shape || shape.members.size > 0) return false;
  return shape.indexes.every((index) => isAnyJson(index.type, shapes, assumed));
}

function isAnyArray(type: TypeExpression, shapes: Shapes, assumed: ReadonlySet<string>): boolean {
  if (type.kind === "array") return isAnyJson(type.element, shapes, assumed);
  const declaration = type.kind === "reference" ? shapes.declaration(type.name) : undefined;
  return declaration?.kind === "alias" && isAnyArray(declaration.type, shapes, assumed);
}
