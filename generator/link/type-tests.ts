import type { TypeExpression } from "../model/schema-model.js";
import type { Shapes } from "../model/shape.js";
import type { LinkContext } from "./context.js";
import type { Message } from "./messages.js";

/** Returns true if a type admits every JSON value: `unknown`, `any`, or a union of all kinds of JSON values. */
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

/** Returns true if a type admits every JSON object: `object`, `{}`, or a map with arbitrary JSON values. */
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

/**
 * Returns the possible types of a member in a message's parameters. The path of a nested member is written with dots.
 */
export function memberTypes(
  message: Pick<Message, "shape">,
  path: string,
  { shapes }: LinkContext,
): TypeExpression[] {
  let types = message.shape.members.get("params")?.types.map(({ type }) => type) ?? [];
  for (const key of path.split(".")) {
    const arms = types.flatMap((type) => shapes.arms(type));
    types = arms.flatMap(
      (arm) =>
        shapes
          .of(arm)
          ?.members.get(key)
          ?.types.map(({ type }) => type) ?? [],
    );
  }
  return types.flatMap((type) => shapes.arms(type));
}

/**
 * Returns true if a type declares a member. In a union, every alternative must declare it; in an intersection, one
 * operand must.
 */
export function hasMember(type: TypeExpression, name: string, { shapes }: LinkContext): boolean {
  const has = (one: TypeExpression, depth: number): boolean => {
    if (depth > MAX_DEPTH) return false;
    const shape = shapes.of(one);
    if (shape) return shape.members.has(name);
    if (one.kind === "intersection") return one.members.some((inner) => has(inner, depth + 1));
    const declaration = one.kind === "reference" ? shapes.declaration(one.name) : undefined;
    if (declaration?.kind === "alias") return has(declaration.type, depth + 1);
    return one.kind === "union" && one.members.every((inner) => has(inner, depth + 1));
  };
  return has(type, 0);
}

/**
 * The maximum number of aliases and operands on the way to a member. There is a limit because types may refer to
 * themselves.
 */
const MAX_DEPTH = 32;
