import type { TypeExpression } from "../model/schema-model.js";
import { isAnyObject } from "./type-tests.js";
import type { LinkContext } from "./context.js";
import type { Message } from "./messages.js";
import type { Method, SynthesizedType, Envelope } from "./protocol.js";
import type { LinkedMessage } from "./traits.js";

type Params = NonNullable<Method["params"]>;

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

export function takesCursor({ shape }: Message, { shapes }: LinkContext): boolean {
  const params = shape.members.get("params")?.types ?? [];
  return params.some(({ type }) => shapes.of(type)?.members.has("cursor"));
}

function statedTypes({ shape }: Message, { shapes }: LinkContext): TypeExpression[] {
  const types = (shape.members.get("params")?.types ?? []).map(({ type }) => type);
  const stated = types.filter((type) => !isAnyObject(type, shapes));
  return types.length > 1 && stated.length > 0 ? stated : types;
}

function ownerOf({ shape, declaration }: Message, { own }: LinkContext): string {
  const member = shape.members.get("params");
  const owner = member?.types.length === 1 ? member.from : "";
  return own.some(({ name }) => name === owner) ? owner : declaration.name;
}

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
        hint: `Refer to ${name} in \`params\`, or rename one of them.`,
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

/**
 * Returns the parameters that all requests share, and those that all notifications share: the envelope's `params` if
 * they state a member, otherwise a type that the parameters of all messages extend.
 */
export function sharedParams(
  linked: readonly LinkedMessage[],
  envelope: Envelope,
  context: LinkContext,
): Pick<Envelope, "requestParams" | "notificationParams"> {
  if (context.extended) return {};
  const requestParams = sharedBy("request", envelope.request, linked, context);
  const notificationParams = sharedBy("notification", envelope.notification, linked, context);
  return {
    ...(requestParams && { requestParams }),
    ...(notificationParams && { notificationParams }),
  };
}

function sharedBy(
  kind: Method["kind"],
  carrier: string,
  linked: readonly LinkedMessage[],
  context: LinkContext,
): string | undefined {
  const params = context.shapes.named(carrier)?.members.get("params");
  const type = params?.types[0]?.type;
  if (params && type && context.shapes.of(type)?.members.size) {
    return type.kind === "reference" ? type.name : `${params.from || carrier}Params`;
  }
  const lineages = linked
    .filter(({ method }) => method.kind === kind && method.channel === "wire")
    .flatMap(({ message }) => {
      const types = message.shape.members.get("params")?.types ?? [];
      return [types.flatMap((one) => lineage(one.type, context))];
    });
  return lineages[0]?.find((name) => lineages.every((names) => names.includes(name)));
}

/**
 * Returns the names of a type and all its bases. For a union, returns the names that all alternatives have in common.
 */
function lineage(type: TypeExpression, context: LinkContext): string[] {
  if (type.kind === "intersection") return type.members.flatMap((one) => lineage(one, context));
  if (type.kind === "union") {
    const [first, ...others] = type.members.map((one) => lineage(one, context));
    return (first ?? []).filter((name) => others.every((names) => names.includes(name)));
  }
  if (type.kind !== "reference") return [];
  const declaration = context.shapes.declaration(type.name);
  if (declaration?.kind === "interface") {
    return [type.name, ...declaration.extends.flatMap((base) => lineage(base, context))];
  }
  return declaration?.kind === "alias" ? [type.name, ...lineage(declaration.type, context)] : [];
}
