import { isObject } from "../../../wire/index.js";
import type { Rule } from "../rule.js";

/** Joins several texts into one block, where a message has one block of content (MCP: sampling, content). */
export const samplingContent: Rule = {
  down(value, shape, descent) {
    if (!Array.isArray(value) || shape.kinds?.["array"] !== null)
      return descent.plain(shape, value);
    const blocks = value.map((block: unknown) => descent.plain(shape, block));
    const [first] = blocks;
    if (first === undefined) return { type: "text", text: "" };
    if (blocks.length === 1) return first;
    const texts = blocks.map(textOf);
    if (texts.every((text) => text !== undefined))
      return { type: "text", text: texts.join("\n\n") };
    return descent.lose(value, "has to be a single block", first);
  },
};

function textOf(block: unknown): string | undefined {
  const text = isObject(block) && block["type"] === "text" ? block["text"] : undefined;
  return typeof text === "string" ? text : undefined;
}
