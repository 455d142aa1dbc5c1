import type { LinkContext } from "./context.js";
import type { Envelope, Traits } from "./protocol.js";
import { EMPTY_RESULT } from "./pair.js";
import type { LinkedMessage } from "./traits.js";

export function checkResults(
  linked: readonly LinkedMessage[],
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
  }
  checkClaimed(linked, context);
  checkResponses(linked, envelope, context);
}

/** Reports types that are named like results but are not the result of any request. */
function checkClaimed(linked: readonly LinkedMessage[], context: LinkContext): void {
  const claimed = new Set(
    linked.flatMap(({ method: { result } }) =>
      result ? [result, ...result.alternatives].map(({ type }) => type) : [],
    ),
  );
  for (const { type } of context.facts.alternatives ?? []) claimed.add(type);
  for (const declaration of context.own) {
    const { name, span } = declaration;
    const isSynonym = declaration.kind === "alias" && declaration.type.kind === "reference";
    if (!/.Result$/.test(name) || isSynonym || name === EMPTY_RESULT || claimed.has(name)) continue;
    if (context.isBase(name) || !context.shapes.named(name)) continue;
    context.report({
      code: "MCG3011",
      message: `${name} answers no request.`,
      hint: `Declare ${name.replace(/Result$/, "Request")}, or accept it in the facts.`,
      span,
      about: name,
    });
  }
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
