import type { Diagnostic } from "../diagnostics.js";
import { codeFrame } from "./code-frame.js";
import { SourceLines } from "./source-lines.js";
import { type Line, paint, renderLine } from "./styled-text.js";
import { visible } from "./visible.js";

export interface ReportOptions {
  /** Returns the text of a file named in diagnostics, as it was loaded. If omitted, no source lines are shown. */
  readonly sourceText?: (file: string) => string | undefined;
  /** The maximum number of diagnostics to show in full. Default: 100. */
  readonly limit?: number;
}

export interface RenderOptions extends ReportOptions {
  /** True to print styles as terminal escape codes. Default: false. */
  readonly color?: boolean;
}

const LIMIT = 100;

/**
 * Formats diagnostics the way `tsc` prints them, file by file in source order: `file:line:column - error MCG2011: …`,
 * the source with carets below it, and a hint. Every line ends with a line feed.
 */
export function renderReport(
  diagnostics: readonly Diagnostic[],
  { color = false, ...options }: RenderOptions = {},
): string {
  return reportLines(diagnostics, options)
    .map((line) => `${renderLine(line, color)}\n`)
    .join("");
}

export function reportLines(
  diagnostics: readonly Diagnostic[],
  { sourceText = () => undefined, limit = LIMIT }: ReportOptions = {},
): readonly Line[] {
  const sources = new Map<string, SourceLines | undefined>();
  const linesOf = (file: string) => {
    if (!sources.has(file)) {
      const text = sourceText(file);
      sources.set(file, text === undefined ? undefined : new SourceLines(text));
    }
    return sources.get(file);
  };
  const shown = inSourceOrder(diagnostics).slice(0, limit);
  const blocks = shown.map((diagnostic) => describe(diagnostic, linesOf));
  const omitted = diagnostics.length - shown.length;
  if (omitted > 0) blocks.push([[`… and ${omitted} more.`]]);
  return blocks.flatMap((block, index) => (index === 0 ? block : [[], ...block]));
}

/**
 * Sorts diagnostics by their file's first appearance, then by position. Within a file, a problem that concerns the
 * whole file comes first.
 */
function inSourceOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const files = [...new Set(diagnostics.map(({ file }) => file))];
  const rank = new Map(files.map((file, index) => [file, index]));
  return diagnostics.toSorted((a, b) => {
    const byFile = rank.get(a.file)! - rank.get(b.file)!;
    return byFile === 0 ? (a.span?.start ?? -1) - (b.span?.start ?? -1) : byFile;
  });
}

function describe(
  diagnostic: Diagnostic,
  linesOf: (file: string) => SourceLines | undefined,
): readonly Line[] {
  const { code, severity, message, hint, example, file, span } = diagnostic;
  const source = file !== undefined && span ? linesOf(file) : undefined;
  return [
    [
      ...place(diagnostic),
      paint(severity === "error" ? "red" : "yellow", severity),
      paint("dim", ` ${code}: `),
      visible(message),
    ],
    ...(source && span ? codeFrame(source, span) : []),
    ...(hint === undefined ? [] : [["  ", paint("green", "hint: "), visible(hint)]]),
    ...(example?.split("\n") ?? []).map((line): Line => ["    ", visible(line)]),
  ];
}

function place({ file, span }: Diagnostic): Line {
  if (file === undefined) return [];
  const position = span ? `:${span.line}:${span.column}` : "";
  return [paint("cyan", visible(file) + position), " - "];
}
