import type { AliasDeclaration, ReferenceType, TypeExpression } from "../model/schema-model.js";
import type { LinkContext } from "./context.js";
import type { Method } from "./protocol.js";

/**
 * The unions by which a schema states which side sends which messages. Any of them may be missing or have a single
 * alternative.
 */
export const SENDER_AGGREGATES = [
  { name: "ClientRequest", kind: "request", from: "client", channel: "wire" },
  { name: "ServerRequest", kind: "request", from: "server", channel: "wire" },
  { name: "InputRequest", kind: "request", from: "server", channel: "embedded" },
  { name: "ClientNotification", kind: "notification", from: "client", channel: "wire" },
  { name: "ServerNotification", kind: "notification", from: "server", channel: "wire" },
] as const satisfies readonly (Pick<Method, "kind" | "channel"> & {
  name: string;
  from: "client" | "server";
})[];

export const RESULT_AGGREGATES = ["ClientResult", "ServerResult", "InputResponse"] as const;

const NAMES: ReadonlySet<string> = new Set([
  ...SENDER_AGGREGATES.map(({ name }) => name),
  ...RESULT_AGGREGATES,
]);

export function aggregates(context: LinkContext): Record<string, readonly string[]> {
  const found = context.own.filter(
    (declaration): declaration is AliasDeclaration =>
      declaration.kind === "alias" && NAMES.has(declaration.name),
  );
  return Object.fromEntries(found.map((alias) => [alias.name, armsOf(alias, context)]));
}

function armsOf(alias: AliasDeclaration, context: LinkContext): string[] {
  const isOfResults = (RESULT_AGGREGATES as readonly string[]).includes(alias.name);
  const names = new Set<string>();
  for (const arm of expand(alias.type, isOfResults, context)) {
    if (isDeclared(arm, context)) names.add(arm.name);
    else if (!isNever(arm)) {
      context.report({
        code: "MCG3003",
        message: `${alias.name} lists something that is not a declared type.`,
        hint: "List only names of message or result types in the union.",
        span: arm.span,
      });
    }
  }
  return [...names];
}

/**
 * Returns the members of a union and of the unions that it names. In a union of results, an alias is not expanded if
 * one of its alternatives is not a declared type, as in `type HoverResult = Hover | null`.
 */
function expand(
  type: TypeExpression,
  isOfResults: boolean,
  context: LinkContext,
): readonly TypeExpression[] {
  if (type.kind === "union")
    return type.members.flatMap((member) => expand(member, isOfResults, context));
  const arms = context.shapes.arms(type);
  if (!isOfResults || !isDeclared(type, context)) return arms;
  if (arms.every((arm) => isDeclared(arm, context))) return arms;
  const declaration = context.shapes.declaration(type.name);
  const named = declaration?.kind === "alias" ? declaration.type : undefined;
  const isList = named?.kind === "union" && named.members.every((one) => isDeclared(one, context));
  return isList ? expand(named, isOfResults, context) : [type];
}

function isDeclared(type: TypeExpression, { shapes }: LinkContext): type is ReferenceType {
  return type.kind === "reference" && shapes.declaration(type.name) !== undefined;
}

/** Returns true for `never`, which is how an empty union is written. */
function isNever(type: TypeExpression): boolean {
  return type.kind === "keyword" && type.name === "never";
}
