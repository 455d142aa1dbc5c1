import type { Outcome } from "../core/run.js";
import type { Depth, Target } from "../core/section.js";
import { inUnit, isMet } from "./figures.js";
import type { Machine } from "./machine.js";
import { plotsOf } from "./plots.js";
import { figures, markdownTable, notes, targetTable } from "./tables.js";

export interface Report {
  readonly machine: Machine;
  readonly depth: Depth;
  readonly outcomes: readonly Outcome[];
}

/** The whole report as Markdown. */
export function page(report: Report): string {
  const targets = targetsOf(report.outcomes);
  const headlines = targets.filter(({ isHeadline }) => isHeadline);
  const parts = [
    "# The benchmark",
    introduction(report),
    failures(report.outcomes),
    headlines.length > 0 ? `## In short\n\n${targetTable(headlines)}` : "",
    targets.length > 0 ? `## All targets\n\n${tally(targets)}\n\n${targetTable(targets)}` : "",
    ...report.outcomes.map(chapter),
    environment(report.machine),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

export function targetsOf(outcomes: readonly Outcome[]): readonly Target[] {
  return outcomes.flatMap(({ result }) => result?.targets ?? []);
}

function introduction({ machine, depth, outcomes }: Report): string {
  const seconds = outcomes.reduce((sum, outcome) => sum + outcome.seconds, 0);
  const took = `${Math.ceil(seconds / 60)} min`;
  const form =
    depth === "short"
      ? "This is the short form: few rounds, so single figures may be off by a lot. "
      : "";
  return `${form}Measured on ${machine.date} with Node ${machine.node.slice(1)} on ${machine.cores} cores (${machine.cpu}), in ${took}.
All contestants of a table ran side by side, in turn. Compare ratios: absolute figures depend on the machine. A table shows
medians, in brackets their ratio to the baseline, and from the least to the most that was seen.
[How it is measured](../README.md).`;
}

function failures(outcomes: readonly Outcome[]): string {
  const failed = outcomes.filter(({ failure }) => failure !== undefined);
  if (failed.length === 0) return "";
  return `**Incomplete:** no result for ${failed.map(({ title }) => title).join(", ")}.`;
}

export function tally(targets: readonly Target[]): string {
  if (targets.length === 0) return "No targets.";
  return `${targets.filter(isMet).length} of ${targets.length} targets are met.`;
}

function chapter(outcome: Outcome): string {
  const { title, about, result, failure, seconds } = outcome;
  const parts = [
    `## ${title}`,
    about,
    failure === undefined ? "" : `This section failed:\n\n\`\`\`text\n${failure}\n\`\`\``,
    ...(result?.tables ?? []).map(
      (table) => `### ${table.title}${inUnit(table.unit)}\n\n${figures(table, "ranges")}`,
    ),
    ...plotsOf(outcome).map(({ name, title: alt }) => `![${alt}](${name}.svg)`),
    notes(result?.notes ?? []),
    `Took ${Math.round(seconds)} s.`,
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function environment({ node, system, cpu, cores, memory, versions }: Machine): string {
  const rows = [
    ["Node", node],
    ["System", system],
    ["CPU", `${cores} x ${cpu}`],
    ["Memory", `${memory} GiB`],
    ...Object.entries(versions).map(([name, version]) => [`\`${name}\``, version]),
  ];
  return `## Measured with\n\n${markdownTable(["", ""], rows, ["left", "left"])}`;
}
