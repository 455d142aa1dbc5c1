import { isObject } from "../wire/index.js";

/**
 * Content with the JSON of a value as text, unless a block says the same already, however indented (MCP: tools,
 * structured content).
 */
export function withJsonText(content: readonly unknown[], value: unknown): readonly unknown[] {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined || content.some((block) => saysSame(block, text))) return content;
  return [...content, { type: "text", text }];
}

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
