import { isObject } from "../../../wire/index.js";
import type { Rule } from "../rule.js";

/** Structured content that has to be an object (MCP: tools, structured content). */
export const objectContent: Rule = {
  down: (value, _shape, descent) =>
    isObject(value) ? value : descent.lose(value, "has to be an object"),
};
