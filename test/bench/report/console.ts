import type { Outcome } from "../core/run.js";
import { inUnit } from "./figures.js";
import { figures, notes, targetTable } from "./tables.js";

/** What one reads while the benchmark runs: tables and targets of a section, as Markdown. */
export function section({ title, seconds, result, failure }: Outcome): string {
  const parts = [
    `## ${title} (${Math.round(seconds)} s)`,
    failure === undefined ? "" : `Failed:\n\n\`\`\`text\n${failure}\n\`\`\``,
    ...(result?.tables ?? []).map(
      (table) => `${table.title}${inUnit(table.unit)}:\n\n${figures(table, "medians")}`,
    ),
    result && result.targets.length > 0 ? targetTable(result.targets) : "",
    notes(result?.notes ?? []),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}
