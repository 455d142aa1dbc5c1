import { isObject } from "../../../wire/index.js";
import type { Rule } from "../rule.js";

/** What a task came to is the result of the request that it was made of (MCP: tasks, results). */
export const taskPayload: Rule = {
  down(value, shape, descent) {
    const lowered = descent.plain(shape, value);
    if (!isObject(lowered) || lowered["content"] === undefined) return lowered;
    const name = lowered["model"] === undefined ? "CallToolResult" : "CreateMessageResult";
    return descent.shape(name) ? descent.walk(name, lowered) : lowered;
  },
};
