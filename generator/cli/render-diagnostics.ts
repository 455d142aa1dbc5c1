import { MAX_BYTES } from "../load/limits.js";
import { readText } from "../load/read-bytes.js";
import type { Diagnostic } from "../diagnostics.js";
import { reportLines } from "../report/report.js";
import type { Text } from "./text.js";

export function renderDiagnostics(diagnostics: readonly Diagnostic[]): readonly Text[] {
  return reportLines(diagnostics, { sourceText });
}

function sourceText(file: string): string | undefined {
  try {
    return readText(file, MAX_BYTES);
  } catch {
    return undefined;
  }
}

/** Converts a diagnostic to JSON, with a line and column instead of offsets, because tools expect those. */
export function diagnosticToJson(diagnostic: Diagnostic): object {
  const { code, severity, message, hint, example, file, span } = diagnostic;
  return { code, severity, message, hint, example, file, line: span?.line, column: span?.column };
}
