import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { bench, root } from "../core/places.js";
import type { Table } from "../core/section.js";
import { type Outcome, page, readmeTable, type Report, tablesOf } from "./page.js";

const results = join(bench, "results");
const readme = join(root, "README.md");
const begin = "<!-- bench -->";
const end = "<!-- /bench -->";

/** Returns the Markdown, aligned as `npm run lint` requires. */
export function pretty(markdown: string): Promise<string> {
  return format(markdown, { parser: "markdown", printWidth: 100 });
}

export function prettyJson(value: unknown): Promise<string> {
  return format(JSON.stringify(value), { parser: "json", printWidth: 100 });
}

/** Returns the outcomes of the last written report; empty if there is no report. */
export function lastOutcomes(): readonly Outcome[] {
  const file = join(results, "report.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Report).outcomes : [];
}

export function lastTables(): readonly Table[] {
  return tablesOf(lastOutcomes());
}

/** Writes `test/bench/results` and the table in README.md. */
export async function writeReport(report: Report): Promise<void> {
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, "report.md"), await pretty(page(report, lastTables())));
  writeFileSync(join(results, "report.json"), await prettyJson(report));
  await writeReadme(report.outcomes);
}

async function writeReadme(outcomes: readonly Outcome[]): Promise<void> {
  const text = betweenMarkers(readFileSync(readme, "utf8"), readmeTable(outcomes));
  writeFileSync(readme, await pretty(text));
}

/**
 * Checks that the table can be written into README.md.
 *
 * @throws Error if README.md could not be written
 */
export function checkReadme(): void {
  betweenMarkers(readFileSync(readme, "utf8"), "");
}

/**
 * Replaces the text between the markers.
 *
 * @throws Error unless each marker exists exactly once and they are in order
 */
export function betweenMarkers(text: string, content: string): string {
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  const isUnique = from === text.lastIndexOf(begin) && to === text.lastIndexOf(end);
  if (from < 0 || to < from || !isUnique) {
    throw new Error(`README.md needs one ${begin} and, behind it, one ${end}`);
  }
  return `${text.slice(0, from + begin.length)}\n\n${content.trim()}\n\n${text.slice(to)}`;
}
