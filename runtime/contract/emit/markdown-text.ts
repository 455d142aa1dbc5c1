import { codeSpan, escapeInvisible } from "mcp-codegen/emit";

/** Foreign text on one line of Markdown, with all markup escaped. */
export function inlineText(text: string, longest: number): string {
  const line = escapeInvisible(text).replace(/\s+/g, " ").trim();
  const shown = line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
  return shown
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/[\\`*_[\]|~@]|:(?=\/\/)|\.(?<=www\.)/gi, "\\$&");
}

/** Foreign code within a line. */
export function markdownCode(text: string): string {
  return text.trim() === "" ? codeSpan(JSON.stringify(text)) : codeSpan(text);
}

/** Foreign text as a separate block that keeps its line breaks. */
export function markdownBlock(text: string): string {
  const safe = escapeInvisible(text);
  const runs = safe.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${fence}text\n${safe}\n${fence}`;
}

/** Foreign text, escaped for HTML. */
export function htmlText(text: string): string {
  return escapeInvisible(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
