import { CapabilityError } from "../../wire/index.js";
import { type HandlerContext, type InputRequest, isInputRequired } from "../../api/index.js";
import { abilityFor, assertAble, refusalOf } from "./abilities.js";
import { noteElicitation } from "./questions.js";

/**
 * Makes sure that the client can be asked what a handler gave as questions, in the place of asking itself.
 * @throws what asking would
 */
export function assertAskable(outcome: unknown, context: HandlerContext): void {
  if (!isInputRequired(outcome)) return;
  const requests = (outcome.inputRequests ?? {}) as Readonly<Record<string, InputRequest>>;
  for (const { method, params } of Object.values(requests)) {
    const ability = abilityFor(method, params);
    if (ability) assertAble(context, ability);
    assertCanBeSaid(method, params, context);
    noteElicitation(context.session, params);
  }
}

function assertCanBeSaid(method: string, params: unknown, context: HandlerContext): void {
  const { methods, projection } = context.session.revision;
  const row = methods.get(method);
  try {
    if (row) projection?.down(row, "params", params, undefined);
  } catch (error) {
    throw error instanceof CapabilityError ? refusalOf(error, context) : error;
  }
}
