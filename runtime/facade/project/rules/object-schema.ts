import { isObject } from "../../../wire/index.js";
import type { Rule } from "../rule.js";

/** The schema of structured content that has to be an object (MCP: tools, output schema). */
export const objectSchema: Rule = {
  down: (value, _shape, descent) =>
    isObject(value) && value["type"] === "object"
      ? value
      : descent.lose(value, "has to describe an object"),
};
