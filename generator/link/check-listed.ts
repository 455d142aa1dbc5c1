import type { LinkContext } from "./context.js";
import type { Method } from "./protocol.js";
import type { LinkedMessage } from "./traits.js";

/**
 * Checks that each side's result union lists the results of the requests that the other side sends.
 */
export function checkListed(
  linked: readonly LinkedMessage[],
  aggregates: Readonly<Record<string, readonly string[]>>,
  context: LinkContext,
): void {
  const reported = new Set<string>();
  for (const { method } of linked) {
    for (const union of method.result ? resultAggregates(method) : []) {
      for (const answer of [method.result!, ...method.result!.alternatives]) {
        const names = aggregates[union];
        const key = names ? `${answer.type} ${union}` : union;
        if (names?.includes(answer.type) || reported.has(key)) continue;
        reported.add(key);
        if (names) reportUnlisted(answer.type, method.type, union, context);
        else if (!context.extended) reportMissing(method.type, union, context);
      }
    }
  }
}

function reportUnlisted(
  result: string,
  request: string,
  union: string,
  context: LinkContext,
): void {
  context.report({
    code: "MCG3012",
    severity: "warning",
    message: `${result} answers ${request}, but ${union} does not list it.`,
    hint: `Add it to ${union}, or accept it in the facts if the published schema is like that.`,
    span: (context.shapes.declaration(result) ?? context.shapes.declaration(request))!.span,
    about: result,
  });
}

function reportMissing(request: string, union: string, context: LinkContext): void {
  context.report({
    code: "MCG3009",
    severity: "warning",
    message: `The schema has no ${union} to list what answers ${request}.`,
    hint: `Declare ${union}, or accept its absence in the facts.`,
    span: context.shapes.declaration(request)!.span,
    about: union,
  });
}

function resultAggregates({ from, channel }: Method): readonly string[] {
  if (channel === "embedded") return ["InputResponse"];
  if (from === "both") return ["ServerResult", "ClientResult"];
  return from === "client" ? ["ServerResult"] : ["ClientResult"];
}
