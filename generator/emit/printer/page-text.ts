import { escapeInvisible } from "./code.js";

export function htmlText(text: string): string {
  return escapeInvisible(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** Shortens foreign text to `longest` characters, and escapes it for use on one line of Markdown. */
export function inlineText(text: string, longest = Infinity): string {
  const line = escapeInvisible(text).replace(/\s+/g, " ").trim();
  const shown = line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
  return shown
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/[\\`*_[\]|~@]|:(?=\/\/)|\.(?<=www\.)/gi, "\\$&");
}

export function codeBlock(text: string, language = "text"): string {
  const safe = escapeInvisible(text);
  const runs = safe.match(/`+/g) ?? [];
  const length = runs.reduce((most, run) => Math.max(most, run.length + 1), 3);
  const fence = "`".repeat(length);
  return `${fence}${language}\n${safe}\n${fence}`;
}

export function codeSpan(text: string): string {
  const line = escapeInvisible(text).replaceAll("\n", "\\n");
  const runs = line.match(/`+/g) ?? [];
  const longest = runs.reduce((length, run) => Math.max(length, run.length), 0);
  const fence = "`".repeat(longest + 1);
  const space = longest > 0 || /^ .* $/.test(line) ? " " : "";
  return `${fence}${space}${line}${space}${fence}`;
}

export function codeCell(text: string): string {
  return codeSpan(text).replaceAll("|", "\\|");
}
