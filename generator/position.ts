import type { Span } from "./diagnostics.js";

/** Matches the line breaks that TypeScript recognizes. */
export const LINE_BREAK = /\r\n|[\n\r\u2028\u2029]/;

export function spanBetween(text: string, start: number, end: number): Span {
  const lines = text.slice(0, start).split(LINE_BREAK);
  return { line: lines.length, column: lines.at(-1)!.length + 1, start, end };
}
