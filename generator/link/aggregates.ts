import type { AliasDeclaration, TypeExpression } from "../model/schema-model.js";
import type { LinkContext } from "./context.js";
import type { Method } from "./protocol.js";

/** The unions by which every schema says who sends what; any of them may be missing or have one arm. */
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

const RESULT_AGGREGATES = ["ClientResult", "ServerResult", "InputResponse"] as const;

const NAMES: ReadonlySet<string> = new Set([
  ...SENDER_AGGREGATES.map(({ name }) => name),
  ...RESULT_AGGREGATES,
]);

/** The aggregate unions of a schema, flattened to names; both unions and names in source order. */
export function aggregates(context: LinkContext): Record<string, readonly string[]> {
  const found = context.own.filter(
    (declaration): declaration is AliasDeclaration =>
      declaration.kind === "alias" && NAMES.has(declaration.name),
  );
  return Object.fromEntries(found.map((alias) => [alias.name, armsOf(alias, context)]));
}

function armsOf(alias: AliasDeclaration, context: LinkContext): string[] {
  const names = new Set<string>();
  for (const arm of context.shapes.arms(alias.type)) {
    if (arm.kind === "reference" && context.shapes.declaration(arm.name)) names.add(arm.name);
    else if (!isNever(arm)) {
      context.report({
        code: "MCG3003",
        message: `${alias.name} lists something that is not a declared type.`,
        hint: "Let the union list the names of message or result types only.",
        span: arm.span,
      });
    }
  }
  return [...names];
}

/** True for `never`, the notation of an empty union. */
function isNever(type: TypeExpression): boolean {
  return type.kind === "keyword" && type.name === "never";
}
