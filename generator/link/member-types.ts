import type { TypeExpression } from "../model/schema-model.js";
import type { LinkContext } from "./context.js";
import type { Message } from "./messages.js";

/** Possible types of a member of a message's parameters, dotted if nested; none if there is no such member. */
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

/** True if every value of a type has a member: in a union each arm, in an intersection one operand. */
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

/** Aliases and operands that lead to a member; guards against types that refer to themselves. */
const MAX_DEPTH = 32;
