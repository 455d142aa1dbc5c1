import { ratio, summary } from "../core/rounds.js";
import { type Cell, cellOf, type Table } from "../core/section.js";
import { type Goal, isMet, valuesOf } from "../goals.js";

const precise = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 });
const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** Formats a number with three digits, or with all digits before the point. */
export function digits(value: number): string {
  return (Math.abs(value) < 1000 ? precise : whole).format(value);
}

/** Formats the median, followed by the minimum and the maximum if they differ: `9.04 (8.5–9.9)`. */
export function spread(values: readonly number[], unit = ""): string {
  const { median, min, max } = summary(values);
  const text = `${digits(median)}${unit}`;
  return digits(min) === digits(max) ? text : `${text} (${digits(min)}–${digits(max)})`;
}

/**
 * Returns a Markdown table whose columns are not yet aligned. The first column is left-aligned, the others are
 * right-aligned.
 */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]) {
  const rule = line(head.map((_, column) => (column === 0 ? "---" : "---:")));
  return [line(head), rule, ...rows.map(line)].join("\n");
}

function line(cells: readonly string[]): string {
  return `| ${cells.map(escaped).join(" | ")} |`;
}

function escaped(text: string): string {
  return text.replaceAll("|", String.raw`\|`).replaceAll("\n", " ");
}

/** A figure that a reader looks for first. */
export interface Headline {
  readonly label: string;
  readonly table: string;
  readonly case: string;
}

/**
 * Returns a table with a row per headline and a column per contestant: the values as multiples of each table's
 * baseline.
 */
export function ratioTable(headlines: readonly Headline[], tables: readonly Table[]): string {
  const shown = headlines.flatMap(({ label, table: id, case: name }) => {
    const table = tables.find((one) => one.id === id);
    return table ? [{ label, name, table }] : [];
  });
  const names = [
    ...new Set(
      shown.flatMap(({ table }) =>
        table.rows.map((row) => row.contestant).filter((one) => one !== table.baseline),
      ),
    ),
  ];
  const rows = shown.map(({ label, name, table }) => [
    label,
    ...names.map((contestant) => {
      const row = table.rows.some((one) => one.contestant === contestant);
      const own = row ? cellOf(table, name, contestant) : undefined;
      return multiple(own, cellOf(table, name, table.baseline!));
    }),
  ]);
  return markdownTable(["", ...names], rows);
}

export function multiple(own: Cell, base: Cell): string {
  return own && base ? spread(ratio(own, base), " ×") : "–";
}

/** Returns the values of a table: the median and the spread, with the ratio to the baseline. */
export function valueTable({ cases, rows, baseline }: Table): string {
  const base = rows.find(({ contestant }) => contestant === baseline)?.cells;
  const shown = rows.map(({ contestant, cells }) => [
    contestant,
    ...cells.map((cell, column) => {
      if (!cell) return "–";
      const value = base ? digits(summary(cell).median) : spread(cell);
      return base && contestant !== baseline
        ? `${value}<br>${multiple(cell, base[column])}`
        : value;
    }),
  ]);
  return markdownTable(["", ...cases], shown);
}

export function goalTable(goals: readonly Goal[], tables: readonly Table[]): string {
  const rows = goals.flatMap((goal) => {
    const table = tables.find(({ id }) => id === goal.table);
    const values = valuesOf(goal, tables);
    if (!table || !values) return [];
    const unit = goal.against || table.unit === "x" ? " ×" : ` ${table.unit}`;
    const { median } = summary(values);
    const bound =
      goal.atMost === undefined
        ? `at least ${digits(goal.atLeast!)}`
        : `at most ${digits(goal.atMost)}`;
    const who = goal.against ? `${goal.contestant} to ${goal.against}` : goal.contestant;
    return [
      [
        `${table.title}, ${goal.case}: ${who}`,
        spread(values, unit),
        `${bound}${unit}`,
        isMet(goal, median) ? "met" : "missed",
      ],
    ];
  });
  return markdownTable(["", "Seen", "Goal", ""], rows);
}
