import { ANY_METHOD } from "./capability.js";
import type { LinkContext } from "./context.js";
import type { Message } from "./messages.js";

/** Facts that concern one method each. */
const METHOD_LISTS = [
  "capabilities",
  "conditions",
  "directions",
  "nameHeaders",
  "paramHeaders",
] as const;

/**
 * Checks that each fact matches something in this revision: a fact that matches nothing is stale.
 */
export function checkFacts(
  revision: string,
  messages: readonly Message[],
  context: LinkContext,
  extended?: string,
): void {
  const { facts } = context;
  if (facts.revision !== revision) {
    context.report({
      code: "MCG3061",
      message: `The facts are about ${facts.revision}, not about ${revision}.`,
      hint: "Give the facts of the revision that is being linked.",
      fact: ["revision"],
    });
  }
  if (facts.extends !== undefined && facts.extends !== extended) {
    const what = extended === undefined ? "no extension" : `an extension of ${extended}`;
    context.report({
      code: "MCG3061",
      message: `The facts are about an extension of ${facts.extends}; this is ${what}.`,
      hint: "Give the facts of what is being linked, or remove `extends`.",
      fact: ["extends"],
    });
  }
  const methods = new Set(messages.map(({ method }) => method));
  for (const list of METHOD_LISTS) {
    facts[list]?.forEach(({ method }, index) => {
      const isAny = list === "capabilities" && method === ANY_METHOD;
      if (!isAny && !methods.has(method))
        reportStale(`method \`${method}\``, [list, index], context);
    });
  }
  facts.paramHeaders?.forEach(({ schemas }, index) => {
    if (!methods.has(schemas))
      reportStale(`method \`${schemas}\``, ["paramHeaders", index, "schemas"], context);
  });
  facts.successors?.forEach(({ to }, index) => {
    if (!context.shapes.declaration(to)) reportStale(`type ${to}`, ["successors", index], context);
  });
}

function reportStale(what: string, fact: readonly (string | number)[], context: LinkContext): void {
  context.report({
    code: "MCG3062",
    message: `The fact is about the ${what}, which this schema does not declare.`,
    hint: "Correct the name, or remove the fact.",
    fact,
  });
}
