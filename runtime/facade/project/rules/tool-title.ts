import { isObject } from "../../../wire/index.js";
import type { Rule } from "../rule.js";

/** Moves the title of a tool to its annotations, where the revision has it (MCP: tools, annotations). */
export const toolTitle: Rule = {
  down(value, shape, descent) {
    if (!isObject(value)) return value;
    const { title, ...rest } = value;
    const { drop = [] } = shape;
    const isMoved = title !== undefined && drop.includes("title") && !drop.includes("annotations");
    if (!isMoved) return descent.plain(shape, value);
    const annotations = isObject(value["annotations"]) ? value["annotations"] : {};
    return descent.plain(shape, { ...rest, annotations: { title, ...annotations } });
  },
};
