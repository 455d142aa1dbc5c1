import type { LinkContext } from "./context.js";
import type { Conventions } from "./protocol.js";

/** What holds for a revision whose facts say nothing else: the newest behaviour that is known. */
export const DEFAULT_CONVENTIONS: Conventions = {
  http: "streamable",
  versionHeader: true,
  polling: false,
  toolInputErrors: "result",
  fallbackStatuses: [400, 404, 405],
};

const isBoolean = (value: unknown): boolean => typeof value === "boolean";

const ADMITS: Readonly<Record<keyof Conventions, (value: unknown) => boolean>> = {
  http: (value) => value === "streamable" || value === "sse",
  versionHeader: isBoolean,
  polling: isBoolean,
  toolInputErrors: (value) => value === "error" || value === "result",
  fallbackStatuses: (value) =>
    value === "4xx" || (Array.isArray(value) && value.length > 0 && value.every(isClientError)),
};

/**
 * What the prose of a revision demands, as the facts state it. An extension has the conventions of the protocol
 * that it extends.
 */
export function conventions(context: LinkContext): Conventions {
  const stated: Record<string, unknown> = {};
  context.facts.conventions?.forEach(({ convention, value }, index) => {
    const fact = ["conventions", index];
    if (!Object.hasOwn(ADMITS, convention) || !ADMITS[convention](value)) {
      context.report({
        code: "MCG3068",
        message: `There is no convention \`${convention}\` with the value ${JSON.stringify(value)}.`,
        hint: `The conventions are ${Object.keys(ADMITS).join(", ")}; see schema/facts.schema.json for their values.`,
        fact,
      });
    } else if (Object.hasOwn(stated, convention)) {
      context.report({
        code: "MCG3069",
        message: `The convention \`${convention}\` is stated twice.`,
        hint: "Remove one of the facts.",
        fact,
      });
    }
    stated[convention] = value;
  });
  return { ...DEFAULT_CONVENTIONS, ...context.extended?.conventions, ...stated };
}

function isClientError(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 400 && (value as number) < 500;
}
