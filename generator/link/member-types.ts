import type { TypeExpression } from "../model/schema-model.js";
import type { LinkContext } from "./context.js";
import type { Message } from "./messages.js";

/** The types that a member of a message's parameters can have, dotted when nested; none where there is no such member. */
export function memberTypes(
  message: Message,
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
