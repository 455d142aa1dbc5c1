import { renderLine, type StyledText } from "../report/styled-text.js";
import { visible } from "../report/visible.js";

export { paint, type Style } from "../report/styled-text.js";

/**
 * Text to print. All control characters in its strings, except line feeds, are escaped, because they could control the
 * terminal.
 */
export type Text = string | StyledText | readonly Text[];

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

/**
 * Returns a value as JSON, with control characters and invisible formatting characters escaped. With an `indent` of 0,
 * the JSON is on one line.
 */
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

const encoder = new TextEncoder();

export function bytesOf(text: string): number {
  return encoder.encode(text).length;
}

export function showBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export function showTime(milliseconds: number): string {
  return milliseconds < 1000
    ? `${Math.round(milliseconds)} ms`
    : `${(milliseconds / 1000).toFixed(1)} s`;
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

export function alignRows(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, cell.length);
    });
  }
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

export function wrapColumns(
  rows: readonly (readonly [term: string, explanation: string])[],
  width: number,
): readonly string[] {
  const indent = 4 + Math.max(...rows.map(([term]) => term.length));
  return rows.flatMap(([term, explanation]) =>
    wrapWords(explanation, Math.max(20, width - indent)).map((line, index) =>
      `${index === 0 ? `  ${term}`.padEnd(indent) : " ".repeat(indent)}${line}`.trimEnd(),
    ),
  );
}

function wrapWords(text: string, width: number): readonly string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1)!;
    if (line === "") lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
