import { isObject } from "../../../wire/index.js";
import type { Rule } from "../rule.js";

/** Translates the result of a task as the result of the request that created the task (MCP: tasks, results). */
export const taskPayload: Rule = {
  down(value, shape, descent) {
    const lowered = descent.plain(shape, value);
    if (!isObject(lowered) || lowered["content"] === undefined) return lowered;
    const method = lowered["model"] === undefined ? "tools/call" : "sampling/createMessage";
    const name = descent.nameOf(method, "result");
    return name === undefined ? lowered : descent.walk(name, lowered);
  },
};
