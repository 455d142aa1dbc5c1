import { withJsonText } from "../../../features/index.js";
import { isObject } from "../../../wire/index.js";
import type { Rule } from "../rule.js";

/** Adds structured content that the revision lacks, or has in another form, as text (MCP: tools, structured content). */
export const jsonText: Rule = {
  members: ["structuredContent"],
  down(value, shape, descent) {
    const lowered = descent.plain(shape, value);
    if (!isObject(value) || !isObject(lowered)) return lowered;
    const { structuredContent } = value;
    if (structuredContent === undefined || lowered["structuredContent"] === structuredContent)
      return lowered;
    const content: readonly unknown[] = Array.isArray(lowered["content"]) ? lowered["content"] : [];
    const whole = withJsonText(content, structuredContent);
    return whole === content ? lowered : { ...lowered, content: whole };
  },
};
