import { isObject } from "../../../wire/index.js";
import type { Rule } from "../rule.js";

/** Member that holds what is no object, where structured content has to be one; peers of other SDKs know it. */
export const WRAPPER = "result";

/** Wraps structured content where it has to be an object (MCP: tools, structured content). */
export const objectContent: Rule = {
  down: (value) => (isObject(value) ? value : { [WRAPPER]: value }),
};
