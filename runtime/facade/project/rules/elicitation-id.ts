import { isObject } from "../../../wire/index.js";
import type { Rule } from "../rule.js";

/** Gives a visit of the user to a web page the id that the revision requires (MCP: elicitation, URL mode). */
export const elicitationId: Rule = {
  down(value, shape, descent) {
    const lowered = descent.plain(shape, value);
    if (!isObject(lowered) || lowered["elicitationId"] !== undefined) return lowered;
    return { ...lowered, elicitationId: crypto.randomUUID() };
  },
};
