import type { Span } from "../diagnostics.js";
import type { SourceLines } from "./source-lines.js";
import { type Line, paint } from "./styled-text.js";
import { visible, width } from "./visible.js";

/** The maximum number of characters shown from a source line. */
const SHOWN = 120;

/** The number of characters shown before the marked ones if the start of the line is cut off. */
const LEAD = 40;

/**
 * The longest span, in lines, that is shown in full. If a span is longer, only its first two and last two lines are
 * shown.
 */
const MAX_LINES = 4;

export function codeFrame(source: SourceLines, span: Span): readonly Line[] {
  if (span.line > source.count) return [];
  const last = source.lineAt(Math.max(span.start, span.end - 1), span.line);
  const gutter = String(last).length;
  return shownLines(span.line, last).flatMap((line) => {
    if (line === undefined) return [[" ", " ".repeat(gutter), paint("dim", "…")]];
    const { text, mark } = markLine(source, line, span);
    const shown = [paint("dim", `${String(line).padStart(gutter + 1)} | `), text];
    const marked = [paint("dim", `${" ".repeat(gutter + 1)} | `), paint("red", mark)];
    return text === "" && line > span.line ? [shown] : [shown, marked];
  });
}

function shownLines(first: number, last: number): readonly (number | undefined)[] {
  const count = last - first + 1;
  if (count <= MAX_LINES) return Array.from({ length: count }, (_, index) => first + index);
  return [first, first + 1, undefined, last - 1, last];
}

function markLine(source: SourceLines, line: number, span: Span): { text: string; mark: string } {
  const text = source.text(line);
  const start = source.start(line);
  const indent = text.length - text.trimStart().length;
  const from = Math.min(text.length, line === span.line ? span.start - start : indent);
  const to = Math.max(from, Math.min(text.length, span.end - start));
  const left = cutBefore(text, from);
  const right = Math.min(text.length, left + SHOWN);
  const head = (left > 0 ? "…" : "") + visible(text.slice(left, from));
  const marked = visible(text.slice(from, Math.min(to, right)));
  const rest = visible(text.slice(Math.min(to, right), right)) + (right < text.length ? "…" : "");
  const carets = "^".repeat(Math.max(1, width(marked)));
  return { text: head + marked + rest, mark: " ".repeat(width(head)) + carets };
}

/** Returns the first visible column of a line. The cut never splits a surrogate pair. */
function cutBefore(text: string, from: number): number {
  if (from <= SHOWN - LEAD) return 0;
  const left = from - LEAD;
  return /[\udc00-\udfff]/.test(text[left]!) ? left - 1 : left;
}
