import type { TypeExpression } from "../model/schema-model.js";
import type { LinkContext } from "./context.js";
import type { Envelope, Method } from "./protocol.js";
import type { LinkedMessage } from "./traits.js";

/**
 * The parameters that all requests, and all notifications, share. Either the envelope's own `params` types
 * some member (up to 2025-06-18, where re-declared parameters lose it), or all messages extend one type.
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

/** A type's own name and all of its bases; for a union, the common bases of its arms. */
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
