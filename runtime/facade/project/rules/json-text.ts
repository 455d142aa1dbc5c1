import { isObject } from "../../../wire/index.js";
import type { Rule } from "../rule.js";

/** Adds structured content that the revision lacks as text (MCP: tools, structured content). */
export const jsonText: Rule = {
  members: ["structuredContent"],
  down(value, shape, descent) {
    const lowered = descent.plain(shape, value);
    if (!isObject(value) || !isObject(lowered)) return lowered;
    const { structuredContent } = value;
    if (structuredContent === undefined || lowered["structuredContent"] !== undefined)
      return lowered;
    const text = JSON.stringify(structuredContent);
    const content: readonly unknown[] = Array.isArray(lowered["content"]) ? lowered["content"] : [];
    if (text === undefined || content.some((block) => saysSame(block, text))) return lowered;
    return { ...lowered, content: [...content, { type: "text", text }] };
  },
};

/** True when a block is text with the same JSON, however indented. */
function saysSame(block: unknown, json: string): boolean {
  const text = isObject(block) && block["type"] === "text" ? block["text"] : undefined;
  if (text === json) return true;
  if (typeof text !== "string" || text.length < json.length) return false;
  try {
    return JSON.stringify(JSON.parse(text)) === json;
  } catch {
    return false;
  }
}
