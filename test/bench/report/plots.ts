import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Outcome } from "../core/run.js";
import type { Plot, Table } from "../core/section.js";

/** A plot of more than these fits no screen. */
const mostPanels = 4;

/** Those of a section; of one that has none, bars for its first table. */
export function plotsOf({ id, result }: Outcome): readonly Plot[] {
  if (result === undefined) return [];
  const main = result.tables[0];
  const isDrawn = result.plots.length > 0 || main === undefined || main.rows.length === 0;
  if (!isDrawn) return [barsOf(id, main)];
  const contestants = result.tables.flatMap(({ rows }) => rows.map((row) => row.contestant));
  return result.plots.map((plot) => byCase(plot, new Set(contestants)));
}

/** Bars to be compared stand beside each other: where each series is a contestant, each becomes a case. */
export function byCase(plot: Plot, contestants: ReadonlySet<string>): Plot {
  const isByContestant = plot.series.every(({ name }) => contestants.has(name));
  if (plot.kind !== "bars" || !isByContestant) return plot;
  const all = plot.series.flatMap(({ points }) => points.map(([x]) => String(x)));
  const series = [...new Set(all)].map((name) => ({
    name,
    points: plot.series.flatMap((contestant) =>
      contestant.points
        .filter(([x]) => String(x) === name)
        .map(([, y]): [string, number] => [contestant.name, y]),
    ),
  }));
  return { ...plot, x: { label: "", scale: "category" }, series };
}

/** A panel of bars for each of the first cases. */
export function barsOf(name: string, table: Table): Plot {
  const series = table.cases.slice(0, mostPanels).map((title, column) => ({
    name: title,
    points: table.rows.flatMap(({ contestant, cells }): [string, number][] => {
      const seen = cells[column];
      return seen === undefined ? [] : [[contestant, seen.median]];
    }),
  }));
  return {
    name,
    title: table.title,
    kind: "bars",
    x: { label: "", scale: "category" },
    y: { label: table.unit, scale: isWide(table) ? "log" : "linear" },
    series: series.filter(({ points }) => points.length > 0),
  };
}

/** Whether bars that begin at zero would hide the small ones. */
function isWide({ rows }: Table): boolean {
  const medians = rows.flatMap(({ cells }) => cells.map((seen) => seen?.median ?? 0));
  const some = medians.filter((median) => median > 0);
  return Math.max(...some) > 8 * Math.min(...some);
}

/** Writes `<name>.svg` of each. */
export function draw(plots: readonly Plot[], folder: string): void {
  const program = fileURLToPath(new URL("../../report/draw.mjs", import.meta.url));
  const input = JSON.stringify({ folder, plots });
  const { status, stderr } = spawnSync(process.execPath, [program], { input, encoding: "utf8" });
  if (status !== 0) throw new Error(`The plots cannot be drawn: ${stderr.trim()}`);
}
