import { isObject } from "../../../wire/index.js";
import type { Descent, PreparedShape, Rule } from "../rule.js";

/** Splits a message with several blocks of content into messages with one block each (MCP: sampling, content). */
export const samplingMessages: Rule = {
  down(value, shape, descent) {
    const isSplit = Array.isArray(value) && hasSingleBlocks(shape, descent);
    return descent.plain(shape, isSplit ? value.flatMap(split) : value);
  },
};

function hasSingleBlocks({ items = "" }: PreparedShape, descent: Descent): boolean {
  const content = descent.shape(items)?.members?.["content"];
  return content !== undefined && descent.shape(content)?.kinds?.["array"] === null;
}

function split(message: unknown): unknown {
  if (!isObject(message)) return message;
  const { content } = message;
  return Array.isArray(content)
    ? content.map((block) => ({ ...message, content: block }))
    : message;
}
