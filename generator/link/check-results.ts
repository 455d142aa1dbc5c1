import { RESULT_AGGREGATES } from "./aggregates.js";
import type { LinkContext } from "./context.js";
import type { Envelope, Traits } from "./protocol.js";
import { EMPTY_RESULT } from "./pair.js";
import { takesCursor } from "./params.js";
import type { LinkedMessage } from "./traits.js";

export function checkResults(
  linked: readonly LinkedMessage[],
  aggregates: Readonly<Record<string, readonly string[]>>,
  envelope: Envelope,
  traits: Traits | undefined,
  context: LinkContext,
): void {
  for (const { message, method } of linked) {
    if (!method.result) continue;
    const { name, span } = message.declaration;
    if (method.result.rule === "empty" && traits?.resultType) {
      context.report({
        code: "MCG3013",
        severity: "warning",
        message: `${name} has only an empty result, in a revision whose results have a type.`,
        hint: `Declare ${message.base}ResultResponse or ${message.base}Result.`,
        span,
        about: name,
      });
    }
    if (takesCursor(message, context) && !method.paginated) {
      const way =
        method.result.type === EMPTY_RESULT
          ? `Name its result ${message.base}Result`
          : `Declare \`nextCursor?: string\` in ${method.result.type}`;
      context.report({
        code: "MCG3021",
        severity: "warning",
        message: `${name} has \`cursor\`, but ${method.result.type}, its result, has no \`nextCursor\`; treated as if it had no pages.`,
        hint: `${way}, or accept its absence in the facts if \`cursor\` selects no page.`,
        span,
        about: name,
      });
    }
  }
  checkClaimed(linked, aggregates, context);
  checkResponses(linked, envelope, context);
}

/** Reports types that a union lists as results, or that are named like results, but that no request has as its result. */
function checkClaimed(
  linked: readonly LinkedMessage[],
  aggregates: Readonly<Record<string, readonly string[]>>,
  context: LinkContext,
): void {
  const claimed = claimedTypes(linked, context);
  for (const declaration of context.own) {
    const { name, span } = declaration;
    if (name === EMPTY_RESULT || claimed.has(name)) continue;
    const union = RESULT_AGGREGATES.find((one) => aggregates[one]?.includes(name));
    const isNamed = /.Result$/.test(name);
    if (union === undefined) {
      const isSynonym = declaration.kind === "alias" && declaration.type.kind === "reference";
      if (!isNamed || isSynonym || context.isBase(name) || !context.shapes.named(name)) continue;
    }
    const way = isNamed
      ? `Declare ${name.replace(/Result$/, "Request")}`
      : `Name it after its request, as in CallToolResult for CallToolRequest, or declare \`result: ${name}\` in the request's ResultResponse`;
    context.report({
      code: "MCG3011",
      message: `${union === undefined ? name : `${union} lists ${name}, which`} answers no request.`,
      hint: `${way}, or accept it in the facts.`,
      span,
      about: name,
    });
  }
}

function claimedTypes(
  linked: readonly LinkedMessage[],
  { facts, shapes }: LinkContext,
): ReadonlySet<string> {
  const claimed = new Set((facts.alternatives ?? []).map(({ type }) => type));
  for (const { method, message } of linked) {
    if (!method.result) continue;
    for (const { type } of [method.result, ...method.result.alternatives]) {
      claimed.add(type);
      const arms = shapes.arms({ kind: "reference", name: type, span: message.declaration.span });
      for (const arm of arms) if (arm.kind === "reference") claimed.add(arm.name);
    }
  }
  return claimed;
}

function checkResponses(
  linked: readonly LinkedMessage[],
  envelope: Envelope,
  context: LinkContext,
): void {
  const bases = new Set(
    linked.filter(({ method }) => method.kind === "request").map(({ message }) => message.base),
  );
  for (const { name, span } of context.own) {
    const base = /^(.+)ResultResponse$/.exec(name)?.[1];
    if (!base || bases.has(base) || name === envelope.result) continue;
    context.report({
      code: "MCG3016",
      message: `${name} is the response to ${base}Request, which is not a request of this schema.`,
      hint: `Declare ${base}Request, or remove the response.`,
      span,
      about: name,
    });
  }
}
