import type { LinkContext } from "./context.js";
import type { Traits } from "./protocol.js";

const VALUES: Readonly<Record<keyof Traits, readonly unknown[]>> = {
  lifecycle: ["initialize", "discover"],
  serverRequests: ["wire", "embedded", "none"],
  batching: [true, false],
  envelope: ["inside", "outside"],
  requestMeta: ["optional", "required"],
  resultType: [true, false],
  cacheable: [true, false],
  errorId: ["required", "optional"],
  tasks: [true, false],
  progressMessage: [true, false],
};

/** The traits that facts decide. */
export function statedTraits(
  derived: Readonly<Record<keyof Traits, unknown>>,
  context: LinkContext,
): Partial<Traits> {
  const stated: Record<string, unknown> = {};
  context.facts.traits?.forEach(({ trait, value }, index) => {
    const fact = ["traits", index];
    if (!Object.hasOwn(VALUES, trait) || !VALUES[trait].includes(value)) {
      context.report({
        code: "MCG3067",
        message: `There is no trait \`${trait}\` with the value ${JSON.stringify(value)}.`,
        hint: `The traits are ${Object.keys(VALUES).join(", ")}.`,
        fact,
      });
    } else if (derived[trait] === value) {
      context.report({
        code: "MCG3063",
        message: `The fact about the trait \`${trait}\` states what the schema shows.`,
        hint: "Remove the fact.",
        fact,
      });
    }
    stated[trait] = value;
  });
  return stated;
}

/** True if a fact states the trait, so that the schema need not show it. */
export function isStated(trait: keyof Traits, context: LinkContext): boolean {
  return context.facts.traits?.some((fact) => fact.trait === trait) ?? false;
}
