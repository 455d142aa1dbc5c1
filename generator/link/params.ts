import type { TypeExpression } from "../model/schema-model.js";
import { isAnyObject } from "./any-json.js";
import type { LinkContext } from "./context.js";
import type { Message } from "./messages.js";
import type { Method, SynthesizedType } from "./protocol.js";

type Params = NonNullable<Method["params"]>;

/** Name of the parameters of a message: a declared type, or the name assigned to an inline type. */
export function paramsOf(message: Message, context: LinkContext): Params | undefined {
  const member = message.shape.members.get("params");
  if (!member) return undefined;
  const [type, ...others] = statedTypes(message, context);
  const isNamed = type?.kind === "reference" && others.length === 0;
  return {
    type: isNamed ? type.name : `${ownerOf(message, context)}Params`,
    optional: member.optional,
  };
}

/** Operands of a parameter intersection, without those that admit any object. */
function statedTypes({ shape }: Message, { shapes }: LinkContext): TypeExpression[] {
  const types = (shape.members.get("params")?.types ?? []).map(({ type }) => type);
  const stated = types.filter((type) => !isAnyObject(type, shapes));
  return types.length > 1 && stated.length > 0 ? stated : types;
}

/** The declaration whose inline parameters these are: the message itself, or the base here that states them. */
function ownerOf({ shape, declaration }: Message, { own }: LinkContext): string {
  const member = shape.members.get("params");
  const owner = member?.types.length === 1 ? member.from : "";
  return own.some(({ name }) => name === owner) ? owner : declaration.name;
}

/** Names for inline parameters, base types included; source order. */
export function synthesizedParams(
  messages: readonly Message[],
  context: LinkContext,
): SynthesizedType[] {
  const needed = new Set(
    messages.filter((one) => hasInlineParams(one, context)).map((one) => ownerOf(one, context)),
  );
  const synthesized: SynthesizedType[] = [];
  for (const declaration of context.own) {
    const owner = declaration.name;
    const inline =
      declaration.kind === "interface" &&
      declaration.members.some(({ name, type }) => name === "params" && type.kind !== "reference");
    if (!inline && !needed.has(owner)) continue;
    const name = `${owner}Params`;
    if (!context.shapes.declaration(name)) synthesized.push({ name, owner, member: "params" });
    else if (needed.has(owner)) {
      context.report({
        code: "MCG3020",
        message: `The inline parameters of ${owner} cannot be named ${name}: that name is declared.`,
        hint: `Let \`params\` refer to ${name}, or rename one of them.`,
        span: declaration.span,
      });
    }
  }
  return synthesized;
}

function hasInlineParams(message: Message, context: LinkContext): boolean {
  const types = statedTypes(message, context);
  return types.length > 1 || (types.length === 1 && types[0]!.kind !== "reference");
}
