import { codeSpan, escapeInvisible } from "mcp-codegen/emit";

/** Text of a stranger on one line of Markdown: nothing in it is markup. */
export function inlineText(text: string, longest: number): string {
  const line = escapeInvisible(text).replace(/\s+/g, " ").trim();
  const shown = line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
  return shown
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/[\\`*_[\]|~@]|:(?=\/\/)|\.(?<=www\.)/gi, "\\$&");
}

/** Code of a stranger within a line. */
export function markdownCode(text: string): string {
  return text.trim() === "" ? codeSpan(JSON.stringify(text)) : codeSpan(text);
}

/** Text of a stranger as a block of its own, with its lines. */
export function markdownBlock(text: string): string {
  const safe = escapeInvisible(text);
  const runs = safe.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${fence}text\n${safe}\n${fence}`;
}

/** Text of a stranger in HTML. */
export function htmlText(text: string): string {
  return escapeInvisible(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
