import type { TypeExpression } from "../model/schema-model.js";
import { reportUnresolved } from "./capability.js";
import { resolves } from "./capability-path.js";
import type { LinkContext } from "./context.js";
import { memberTypes } from "./member-types.js";
import type { Message } from "./messages.js";
import type { Condition, Envelope } from "./protocol.js";

/** The gates of a message that depend on its parameters; all of them come from facts. */
export function conditionsOf(
  message: Message,
  envelope: Envelope,
  context: LinkContext,
): Condition[] {
  const conditions: Condition[] = [];
  (context.facts.conditions ?? []).forEach((fact, index) => {
    const { method, reason: _reason, source: _source, ...condition } = fact;
    if (method !== message.method) return;
    for (const key of ["capability", "orEmpty"] as const) {
      const path = condition[key];
      if (path !== undefined && !resolves(path, envelope, context)) {
        reportUnresolved(path, ["conditions", index, key], context);
      }
    }
    const types = memberTypes(message, condition.member, context);
    if (types.length === 0) {
      context.report({
        code: "MCG3062",
        message: `The parameters of ${method} have no member \`${condition.member}\`.`,
        hint: "Correct the member, dotted when nested, or remove the fact.",
        fact: ["conditions", index, "member"],
      });
    }
    for (const value of condition.in ?? []) {
      if (types.length === 0 || types.some((type) => admits(type, value, context))) continue;
      context.report({
        code: "MCG3062",
        message: `\`${condition.member}\` of ${method} cannot be ${JSON.stringify(value)}.`,
        hint: "Correct the values, or remove the fact.",
        fact: ["conditions", index, "in"],
      });
    }
    conditions.push(condition);
  });
  return conditions;
}

function admits(type: TypeExpression, value: string, { shapes }: LinkContext): boolean {
  return (type.kind === "keyword" && type.name === "string") || shapes.literal(type) === value;
}
