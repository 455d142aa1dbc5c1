import { arch, platform } from "node:os";
import { CASES, type Group } from "./cases.js";
import type { Absent, Middle } from "./middles.js";
import type { Row } from "../core/row.js";
import type { PairResult } from "./run-pair.js";

export interface MiddleResults {
  readonly middle: Middle;
  readonly pairs: readonly PairResult[];
}

const GROUPS: Readonly<Record<Group, string>> = {
  plain: "Lists and calls",
  "on the way": "Notifications",
  questions: "Questions to the client",
  more: "More",
};

/** Returns the report as Markdown. */
export function pageOf(
  results: readonly MiddleResults[],
  absent: readonly Absent[],
  others: readonly string[],
  day: string,
): string {
  const head = [
    "Case",
    ...results.map(({ middle }) => `[${middle.name}](#${anchor(middle.name)})`),
  ];
  const rows = [
    ["version", ...results.map(({ middle }) => middle.version)],
    ["pairs that connect", ...results.map(({ pairs }) => ratio(connected(pairs), pairs.length))],
    ...(Object.keys(GROUPS) as Group[]).flatMap((group) => [
      [`**${GROUPS[group]}**`, ...results.map(({ pairs }) => sumOf(group, pairs))],
      ...CASES.filter((one) => one.group === group).map(({ name }) => [
        `[${name}](middles/cases.ts)`,
        ...results.map(({ pairs }) => countOf(name, pairs)),
      ]),
    ]),
  ];
  return [
    `# Middles between clients and servers of every revision

Written by \`npm run middles\` on ${day}; [README.md](README.md#middles) says how to read and repeat it. Node ${process.version}, ${platform()} ${arch()}.

Client and server are \`@mcp-codegen/universal\`, each restricted to one revision; connected directly, they pass every case at every
revision. A cell is the number of pairs of revisions that pass, of all for which both revisions have the case. A call passes if the client
receives the right result, and the handler runs exactly as often as in a direct conversation. Products differ in purpose: a pair that does
not work may be one that a product does not offer.`,
    ...(results.length > 0 ? [table(head, rows)] : []),
    ...absent.map(({ name, why }) => `${name} was not run: ${why}`),
    ...results.map(sectionOf),
    ...others,
    "",
  ].join("\n\n");
}

/** Returns the section about third-party programs at one end of our bridge. */
export function othersPart(
  title: string,
  head: readonly string[],
  rows: readonly Row[] | Absent,
): string {
  const body =
    "why" in rows
      ? [`Not run: ${rows.why}`]
      : [
          table(
            head,
            rows.map(({ cells }) => cells),
          ),
          rows.flatMap(({ failures }) => failures.map((one) => `- ${one}`)).join("\n") ||
            "All pass.",
        ];
  return [`## ${title}`, ...body].join("\n\n");
}

function sectionOf({ middle, pairs }: MiddleResults): string {
  const ids = [...new Set(pairs.map(({ down }) => down))].toSorted();
  const cell = (down: string, up: string): string => {
    const pair = pairs.find((one) => one.down === down && one.up === up)!;
    if (pair.refused !== undefined) return "–";
    return ratio(pair.cases.length - pair.failures.length, pair.cases.length);
  };
  const rows = ids.map((down) => [down, ...ids.map((up) => cell(down, up))]);
  return [
    `## ${middle.name}`,
    `${middle.version}: \`${middle.shown}\``,
    table(["Client \\ server", ...ids], rows),
    ...reasons(pairs),
  ].join("\n\n");
}

/** Returns the failures, each with the pairs of revisions in which it happened. */
function reasons(pairs: readonly PairResult[]): string[] {
  const places = new Map<string, string[]>();
  const add = (what: string, { down, up }: PairResult): void => {
    places.set(what, [...(places.get(what) ?? []), `${down} → ${up}`]);
  };
  for (const pair of pairs) {
    if (pair.refused !== undefined) add(`connection: ${code(pair.refused)}`, pair);
  }
  for (const { name } of CASES) {
    for (const pair of pairs) {
      const failure = pair.failures.find((one) => one.name === name);
      if (failure) add(`${name}: ${code(failure.why)}`, pair);
    }
  }
  if (places.size === 0) return ["All pass."];
  const lines = [...places].map(([what, where]) => {
    const shown = where.length > 6 ? [...where.slice(0, 5), `${where.length - 5} more`] : where;
    return `- ${what} (${shown.join(", ")})`;
  });
  return [lines.join("\n")];
}

const connected = (pairs: readonly PairResult[]): number =>
  pairs.filter(({ refused }) => refused === undefined).length;

function countOf(name: string, pairs: readonly PairResult[]): string {
  const having = pairs.filter(({ cases }) => cases.includes(name));
  return ratio(having.filter((pair) => passes(pair, name)).length, having.length);
}

function sumOf(group: Group, pairs: readonly PairResult[]): string {
  const names = CASES.filter((one) => one.group === group).map(({ name }) => name);
  const all = pairs.flatMap((pair) =>
    names.filter((name) => pair.cases.includes(name)).map((name) => passes(pair, name)),
  );
  return `**${ratio(all.filter(Boolean).length, all.length)}**`;
}

function passes({ refused, failures }: PairResult, name: string): boolean {
  return refused === undefined && failures.every((one) => one.name !== name);
}

function ratio(count: number, all: number): string {
  return all === 0 ? "" : `${count}/${all}`;
}

function anchor(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, "")
    .replaceAll(" ", "-");
}

/** Returns a failure's text in a form that is the same at all revisions. */
function code(text: string): string {
  const general = text.replaceAll(/\d{4}-\d\d-\d\d/g, "<revision>").replaceAll("`", "'");
  return `\`${general}\``;
}

const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
