import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import { page, type Report, tally, targetsOf } from "./page.js";
import { draw, plotsOf } from "./plots.js";
import { betweenMarkers } from "./readme.js";
import { targetTable } from "./tables.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const results = join(root, "test/bench/results");
const readme = join(root, "README.md");

/**
 * To be known before all is measured.
 * @throws where the report could not be written
 */
export function checkReadme(): void {
  betweenMarkers(readFileSync(readme, "utf8"), "");
}

/** Aligned, as `npm run lint` wants it. */
export function pretty(markdown: string): Promise<string> {
  return format(markdown, { parser: "markdown", printWidth: 100 });
}

/** `test/bench/results`, and the table in README.md. */
export async function writeReport(report: Report): Promise<void> {
  const [json, markdown] = await Promise.all([prettyJson(report), pretty(page(report))]);
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, "report.json"), json);
  writeFileSync(join(results, "report.md"), markdown);
  draw(report.outcomes.flatMap(plotsOf), results);
  const text = betweenMarkers(readFileSync(readme, "utf8"), headline(report));
  writeFileSync(readme, await pretty(text));
}

export function prettyJson(value: unknown): Promise<string> {
  return format(JSON.stringify(value), { parser: "json", printWidth: 100 });
}

/** What a reader of the README wants to know first. */
function headline({ outcomes }: Report): string {
  const targets = targetsOf(outcomes);
  const headlines = targets.filter(({ isHeadline }) => isHeadline);
  const table = headlines.length > 0 ? targetTable(headlines) : "";
  return `${table}\n\n${tally(targets)} [The report](test/bench/results/report.md) has all figures and how they were measured.`;
}
