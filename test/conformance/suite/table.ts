import { type Leg, legName, type Side } from "./leg.js";
import type { Verdict } from "./judge.js";

export interface JudgedLeg {
  readonly leg: Leg;
  readonly verdicts: readonly Verdict[];
}

/**
 * Formats a table with a line per scenario and a column per revision, which shows how many checks passed or what went
 * wrong.
 */
export function table(judged: readonly JudgedLeg[], side: Side): string {
  const legs = judged.filter(({ leg }) => leg.side === side);
  const scenarios = legs.flatMap(({ verdicts }) => verdicts.map(({ scenario }) => scenario));
  const names = [...new Set(scenarios)].toSorted();
  const rows = [
    [side, ...legs.map(({ leg }) => pad(columnName(leg)))],
    ...names.map((name) => [name, ...legs.map(({ verdicts }) => cell(verdicts, name))]),
  ];
  const width = Math.max(...rows.map(([name = ""]) => name.length));
  return rows
    .map(([name = "", ...cells]) => [name.padEnd(width), ...cells.map(pad)].join("  ").trimEnd())
    .join("\n");
}

/** Returns the problems to look into, scenario by scenario. */
export function problemsIn(judged: readonly JudgedLeg[]): string[] {
  return judged.flatMap(({ leg, verdicts }) =>
    verdicts.flatMap(({ scenario, problems }) =>
      [...new Set(problems)].map((problem) => `${legName(leg)}: ${scenario}: ${problem}`),
    ),
  );
}

function columnName({ revision, instances, before }: Leg): string {
  if (before !== undefined) return `${revision.slice(2, 7)}<${before.slice(2, 7)}`;
  return instances === undefined ? revision : `by ${instances}`;
}

function cell(verdicts: readonly Verdict[], name: string): string {
  const verdict = verdicts.find(({ scenario }) => scenario === name);
  if (verdict === undefined) return "";
  const { outcome, successes } = verdict;
  return outcome === "passes" ? `${successes} ok` : outcome === "fails" ? "FAILS" : "expected";
}

function pad(text: string): string {
  return text.padEnd(10);
}
