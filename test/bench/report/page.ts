import type { Section, SectionResult, Table, Unit } from "../core/section.js";
import { cellOf } from "../core/section.js";
import { pinned } from "../drivers/stdio/servers.js";
import { goalsBeside } from "../goals.js";
import type { Machine } from "./machine.js";
import {
  goalTable,
  type Headline,
  markdownTable,
  multiple,
  ratioTable,
  valueTable,
} from "./tables.js";

/** The result of a section, or the reason why it is missing. */
export interface Outcome extends Pick<Section, "id" | "title" | "about"> {
  readonly seconds: number;
  readonly result?: SectionResult;
  readonly failure?: string;
}

export interface Report {
  readonly machine: Machine;
  readonly rounds: number;
  readonly outcomes: readonly Outcome[];
}

/** The rows of the table in the project's README. */
const firstHeadlines: readonly Headline[] = [
  { label: "CPU per call, stdio, session", table: "stdio", case: "session" },
  { label: "CPU per call, HTTP, session", table: "http", case: "session, JSON" },
  { label: "CPU per call, HTTP, stateless", table: "http", case: "stateless, JSON" },
  { label: "Cold start of a stdio server", table: "start", case: "session" },
  { label: "Bytes installed", table: "install", case: "all three" },
];

const headlines: readonly Headline[] = [
  ...firstHeadlines,
  { label: "CPU per call, stdio, stateless", table: "stdio", case: "stateless" },
  { label: "CPU per call of a client, stdio, session", table: "stdio-client", case: "session" },
  { label: "CPU per call, HTTP, session, SSE", table: "http", case: "session, SSE" },
  { label: "Heap per idle session", table: "memory", case: "idle session" },
  { label: "Bundle of a stdio server", table: "bundle", case: "stdio server" },
  { label: "Bundle of a client over HTTP", table: "login", case: "without a login" },
  { label: "Bundle of a client that logs in", table: "login", case: "with a login" },
];

export const tablesOf = (outcomes: readonly Outcome[]): readonly Table[] =>
  outcomes.flatMap(({ result }) => result?.tables ?? []);

/** Returns the outcomes in the order of the sections, with the last outcomes for sections that were not run again. */
export function completed(
  outcomes: readonly Outcome[],
  last: readonly Outcome[],
  known: readonly string[],
): Outcome[] {
  const all = [...outcomes, ...last];
  return known.flatMap((id) => all.find((outcome) => outcome.id === id) ?? []);
}

/** Returns the whole report as Markdown. @param last - tables of the previous report */
export function page(report: Report, last: readonly Table[]): string {
  const { outcomes, machine } = report;
  const tables = tablesOf(outcomes);
  return joined([
    "# The benchmark",
    introduction(report),
    "## Beside peers",
    "Multiples of what `@mcp-codegen/universal` takes, the median of the rounds and, in brackets, the least and the most: above 1 is more than ours. `one revision` is a package such as `@mcp-codegen/2025-11-25`, `moved in` the program for SDK 2.4 with the imports of `@mcp-codegen/sdk`, `limit` a bare Node program that checks nothing.",
    ratioTable(headlines, tables),
    "## Goals",
    goalTable(goalsBeside(last), tables),
    ...outcomes.map(chapter),
    environment(machine),
  ]);
}

/** Returns the README's table, which shows the official SDK's costs as multiples of ours. */
export function readmeTable(outcomes: readonly Outcome[]): string {
  const tables = tablesOf(outcomes);
  const peer = "sdk 2.4";
  const rows = firstHeadlines.map(({ label, table: id, case: name }) => {
    const table = tables.find((one) => one.id === id)!;
    const cell = (contestant: string) => cellOf(table, name, contestant);
    const short = (ours: string) => multiple(cell(peer), cell(ours)).replace(/ \(.*/, "");
    return [label, short(pinned), short("universal")];
  });
  return markdownTable(["SDK 2.4, as a multiple of ours", pinned, "all revisions"], rows);
}

function introduction({ machine, rounds, outcomes }: Report): string {
  const seconds = outcomes.reduce((sum, outcome) => sum + outcome.seconds, 0);
  const failed = outcomes.filter(({ failure }) => failure !== undefined);
  return joined([
    `Measured on ${machine.date} with Node ${machine.node.slice(1)} on ${machine.cores} cores (${machine.cpu}): ${rounds} rounds, ${Math.ceil(seconds / 60)} min. Ratios are taken within each round. [How it is measured](../README.md).`,
    failed.length > 0
      ? `**Incomplete:** no result for ${failed.map(({ title }) => title).join(", ")}.`
      : "",
  ]);
}

/** Returns the tables of a section with their notes. */
export function chapter({ title, about, result, failure, seconds }: Outcome): string {
  return joined([
    `## ${title}`,
    about,
    failure === undefined ? "" : `This section failed:\n\n\`\`\`text\n${failure}\n\`\`\``,
    ...(result?.tables ?? []).map(
      (table) => `### ${table.title}${inUnit(table.unit)}\n\n${valueTable(table)}`,
    ),
    (result?.notes ?? []).map((text) => `- ${text}`).join("\n"),
    `Took ${Math.round(seconds)} s.`,
  ]);
}

function inUnit(unit: Unit): string {
  if (unit === "count") return "";
  return unit === "x" ? ", as a multiple" : `, in ${unit}`;
}

function environment({ node, system, cpu, cores, memory, versions }: Machine): string {
  const rows = [
    ["Node", node],
    ["System", system],
    ["CPU", `${cores} × ${cpu}`],
    ["Memory", `${memory} GiB`],
    ...Object.entries(versions).map(([name, version]) => [`\`${name}\``, version]),
  ];
  return `## Measured with\n\n${markdownTable(["", ""], rows)}`;
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}
