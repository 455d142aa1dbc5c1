import { type StyledText, renderLine } from "../report/styled-text.js";
import { visible } from "../report/visible.js";

export { paint, type Style } from "../report/styled-text.js";

/**
 * Text to print. Strings are not trusted to be free of terminal codes: all control characters but
 * line feeds are made visible.
 */
export type Text = string | StyledText | readonly Text[];

/** The characters to send, with styles as terminal codes only where `color` is set. */
export function renderText(text: Text, color: boolean): string {
  return renderLine(pieces(text), color);
}

function pieces(text: Text): (string | StyledText)[] {
  if (typeof text === "string") return [visibleLines(text)];
  if ("style" in text) return [{ ...text, text: visibleLines(text.text) }];
  return text.flatMap(pieces);
}

function visibleLines(text: string): string {
  return text.split("\n").map(visible).join("\n");
}

/** JSON without raw control or reordering characters; on one line unless `indent` is given. */
export function renderJson(value: unknown, indent: number): string {
  return JSON.stringify(value, null, indent).replace(
    /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) =>
      Array.from({ length: character.length }, (_, index) =>
        escapeUnit(character.charCodeAt(index)),
      ).join(""),
  );
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
