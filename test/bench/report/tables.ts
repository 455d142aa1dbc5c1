import type { Seen, Table, TableRow, Target } from "../core/section.js";
import { digits, range, verdict, withUnit } from "./figures.js";

export type Detail = "medians" | "ranges";

/** Markdown, not yet aligned. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  alignment: readonly ("left" | "right")[] = head.map((_, column) => (column ? "right" : "left")),
): string {
  const rule = `| ${alignment.map((side) => (side === "left" ? "---" : "---:")).join(" | ")} |`;
  return [line(head), rule, ...rows.map(line)].join("\n");
}

function line(cells: readonly string[]): string {
  return `| ${cells.map(escaped).join(" | ")} |`;
}

function escaped(text: string): string {
  return text.replaceAll("|", String.raw`\|`).replaceAll("\n", " ");
}

/** More columns than these do not fit a page, if there are fewer contestants. */
const mostCases = 5;

/** Contestants down, cases across, or the other way round where that is narrower: median, ratio to the baseline, and from least to most. */
export function figures(table: Table, detail: Detail): string {
  const [only, ...more] = table.cases;
  if (only !== undefined && more.length === 0 && detail === "ranges") return spread(table, only);
  const contestants = table.rows.map(({ contestant }) => contestant);
  const cells = (row: TableRow, column: number) => cellText(table, row, column, detail);
  if (table.cases.length > Math.max(mostCases, table.rows.length)) {
    const rows = table.cases.map((name, column) => [
      name,
      ...table.rows.map((row) => cells(row, column)),
    ]);
    return markdownTable(["", ...contestants], rows);
  }
  const rows = table.rows.map((row) => [
    row.contestant,
    ...table.cases.map((_, column) => cells(row, column)),
  ]);
  return markdownTable(["", ...table.cases], rows);
}

/** The one case gets a column for each thing that is said about it. */
function spread(table: Table, only: string): string {
  const hasRatios = table.baseline !== undefined;
  const rows = table.rows.map((row) => {
    const seen = row.cells[0];
    const ratio = hasRatios ? [ratioTo(table, row, 0) ?? ""] : [];
    return [row.contestant, seen ? digits(seen.median) : "–", ...ratio, seen ? range(seen) : ""];
  });
  const ratio = hasRatios ? [`to ${table.baseline}`] : [];
  return markdownTable(["", only, ...ratio, "min–max"], rows);
}

function cellText(table: Table, row: TableRow, column: number, detail: Detail): string {
  const seen = row.cells[column];
  if (seen === undefined) return "–";
  const ratio = row.contestant === table.baseline ? undefined : ratioTo(table, row, column);
  const median = ratio === undefined ? digits(seen.median) : `${digits(seen.median)} (${ratio})`;
  return detail === "medians" || isExact(seen) ? median : `${median}<br>${range(seen)}`;
}

function isExact({ min, max }: Seen): boolean {
  return min === max;
}

function ratioTo({ rows, baseline }: Table, row: TableRow, column: number): string | undefined {
  const base = rows.find(({ contestant }) => contestant === baseline)?.cells[column]?.median;
  const median = row.cells[column]?.median;
  return base && median !== undefined ? `${digits(median / base)} x` : undefined;
}

export function targetTable(targets: readonly Target[]): string {
  const rows = targets.map((target) => [
    target.what,
    withUnit(target.value, target.unit),
    `${target.bound} ${withUnit(target.limit, target.unit)}`,
    verdict(target),
  ]);
  return markdownTable(["Figure", "Seen", "Target", ""], rows, ["left", "right", "left", "left"]);
}

/** As a list. */
export function notes(texts: readonly string[]): string {
  return texts.map((text) => `- ${text.replaceAll("\n", " ")}`).join("\n");
}
