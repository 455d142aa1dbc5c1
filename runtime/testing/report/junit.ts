import { checkOf } from "../checks/index.js";
import { type Entry, sentenceOf } from "./entries.js";
import { failsAt } from "./summary.js";

export interface CheckedRevision {
  readonly revision: string;
  readonly checks: readonly string[];
}

export interface JUnitCase {
  readonly group: string;
  readonly name: string;
  /** The failures, as sentences; empty if the test passed. */
  readonly failures: readonly string[];
  /** Findings that do not fail the test. */
  readonly notes?: readonly string[];
  readonly skipped?: string | undefined;
}

/**
 * Converts findings to tests: one for each check in each revision, and one for each finding from any other check. A
 * test fails if it has an error, or if it has a warning and `limit` is `warning`.
 */
export function findingCases(
  entries: readonly Entry[],
  checked: readonly CheckedRevision[],
  limit: string | undefined,
): readonly JUnitCase[] {
  const isIn = ({ revision, checks }: CheckedRevision, { id, revisions }: Entry): boolean =>
    checks.includes(id) && revisions.includes(revision);
  const caseOf = (group: string, name: string, found: readonly Entry[]): JUnitCase => {
    const failures = found.filter((one) => failsAt([one], limit));
    const notes = found.filter((one) => !failures.includes(one));
    return { group, name, failures: failures.map(sentenceOf), notes: notes.map(sentenceOf) };
  };
  const cases = checked.flatMap((one) =>
    one.checks.map((id) => {
      const found = entries.filter((entry) => entry.id === id && isIn(one, entry));
      return caseOf(one.revision, `${id}: ${checkOf(id)?.sentence ?? ""}`, found);
    }),
  );
  const others = entries
    .filter((entry) => !checked.some((one) => isIn(one, entry)))
    .map((entry) => caseOf(entry.revisions[0] ?? "mcp", `${entry.id}: ${entry.place}`, [entry]));
  return [...cases, ...others];
}

export function gapCases(gaps: readonly string[]): readonly JUnitCase[] {
  return gaps.map((gap) => ({ group: "mcp", name: "complete report", failures: [], skipped: gap }));
}

/** Prints tests as JUnit XML. An empty list becomes one test that passes. */
export function junitOf(suite: string, cases: readonly JUnitCase[]): string {
  const none = { group: "mcp", name: "no findings", failures: [] };
  const rows = (cases.length === 0 ? [none] : cases).map(rowOf);
  const failed = cases.filter(({ failures }) => failures.length > 0).length;
  const skipped = cases.filter((one) => one.skipped !== undefined).length;
  const counts = `tests="${rows.length}" failures="${failed}" skipped="${skipped}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${rows.length}" failures="${failed}">`,
    `  <testsuite name="${xml(suite)}" ${counts}>`,
    ...rows,
    "  </testsuite>",
    "</testsuites>",
  ].join("\n");
}

function rowOf({ group, name, failures, notes = [], skipped }: JUnitCase): string {
  const start = `    <testcase classname="${xml(group)}" name="${xml(name)}"`;
  if (skipped !== undefined) return `${start}><skipped message="${xml(skipped)}"/></testcase>`;
  const [first] = failures;
  const parts = [
    first === undefined
      ? ""
      : `<failure message="${xml(first)}">${xml(failures.join("\n"))}</failure>`,
    notes.length === 0 ? "" : `<system-out>${xml(notes.join("\n"))}</system-out>`,
  ].join("");
  return parts === "" ? `${start}/>` : `${start}>${parts}</testcase>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

function xml(text: string): string {
  return text
    .replace(/[&<>"]/g, (character) => ENTITIES[character]!)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd");
}
