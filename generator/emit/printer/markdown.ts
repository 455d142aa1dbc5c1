import { escapeInvisible } from "./escape.js";

/** Code inside of a line of Markdown, whatever the text contains. */
export function codeSpan(text: string): string {
  const line = escapeInvisible(text).replaceAll("\n", "\\n");
  const runs = line.match(/`+/g) ?? [];
  const longest = runs.reduce((length, run) => Math.max(length, run.length), 0);
  const fence = "`".repeat(longest + 1);
  const space = longest > 0 || /^ .* $/.test(line) ? " " : "";
  return `${fence}${space}${line}${space}${fence}`;
}

/** The same in a cell of a table, which a bar would end. */
export function codeCell(text: string): string {
  return codeSpan(text).replaceAll("|", "\\|");
}
