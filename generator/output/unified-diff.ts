import { createTwoFilesPatch } from "diff";
import type { Change } from "./compare.js";

/** The maximum number of edits for which the shortest diff is computed. */
const MAX_EDITS = 2000;

/**
 * Returns a file's changes as a unified diff, with `a/` for the file on disk and `b/` for the generated text. The diff
 * is empty for an unchanged file, and for a foreign one, which is not read.
 */
export function unifiedDiff(change: Change): string {
  const { path, before, after, status } = change;
  if (status === "unchanged" || status === "foreign") return "";
  const from = before === undefined ? "/dev/null" : `a/${path}`;
  const to = after === undefined ? "/dev/null" : `b/${path}`;
  const patch = createTwoFilesPatch(from, to, before ?? "", after ?? "", undefined, undefined, {
    context: 3,
    maxEditLength: MAX_EDITS,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  });
  return patch ?? replacement(from, to, before ?? "", after ?? "");
}

/** Returns a diff that removes every old line and adds every new one. It is valid, but not minimal. */
function replacement(from: string, to: string, before: string, after: string): string {
  const old = linesOf(before);
  const next = linesOf(after);
  return [
    `--- ${from}`,
    `+++ ${to}`,
    `@@ -${range(old)} +${range(next)} @@`,
    ...marked("-", old, before),
    ...marked("+", next, after),
    "",
  ].join("\n");
}

function range(lines: readonly string[]): string {
  return `${lines.length > 0 ? 1 : 0},${lines.length}`;
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function marked(sign: string, lines: readonly string[], text: string): string[] {
  const open = text !== "" && !text.endsWith("\n") ? ["\\ No newline at end of file"] : [];
  return [...lines.map((line) => sign + line), ...open];
}
