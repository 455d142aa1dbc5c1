import { isObject } from "../../../wire/index.js";
import type { Rule } from "../rule.js";

/** Replaces content of a kind that the revision lacks by a text that describes it. */
export const textNote: Rule = {
  down(value, shape, descent) {
    if (!isObject(value)) return value;
    const type = value[shape.tag ?? ""];
    const isLacking = typeof type === "string" && shape.arms?.[type] === null;
    if (!isLacking) return descent.plain(shape, value);
    const { annotations } = value;
    const note = {
      type: "text",
      text: describe(type, value),
      ...(annotations ? { annotations } : {}),
    };
    return descent.lose(
      value,
      "is a kind of content that does not exist",
      descent.plain(shape, note),
    );
  },
};

/** Names and addresses, but nothing of what is in it. */
function describe(type: string, block: Record<string, unknown>): string {
  const text = (name: string): string => (typeof block[name] === "string" ? block[name] : "");
  const uri = text("uri");
  if (uri !== "") return [text("title") || text("name"), uri].filter(Boolean).join(": ");
  const format = text("mimeType");
  return `[${type.replaceAll("_", " ")}${format && ` (${format})`}: not available in this version of the protocol]`;
}
