import { type Outcome, packageVersion, renderJson, type Values } from "mcp-codegen/cli";
import type { Entry } from "./entries.js";
import { type CheckedRevision, findingCases, gapCases, junitOf } from "./junit.js";
import { entryLines } from "./lines.js";
import { sarifOf, type SarifSource } from "./sarif.js";
import { failsAt } from "./summary.js";

export interface Report {
  readonly source: SarifSource;
  readonly entries: readonly Entry[];
  readonly checked?: readonly CheckedRevision[];
  readonly data: Outcome["data"];
  /** The parts that are missing from the report, as sentences. */
  readonly gaps?: readonly string[];
  /** The lines that follow the findings if the report is text. */
  readonly end?: readonly string[];
  readonly summary?: string;
}

export function reportOf(report: Report, values: Values): Outcome {
  const { source, entries, checked = [], data, gaps = [], end = [], summary } = report;
  const limit = values.text("fail-on");
  const drift = failsAt(entries, limit);
  if (values.flag("sarif")) {
    const log = sarifOf(entries, source, packageVersion(), gaps);
    return { data, drift, lines: [renderJson(log, 2)] };
  }
  if (values.flag("junit")) {
    const cases = [...findingCases(entries, checked, limit), ...gapCases(gaps)];
    return { data, drift, lines: [junitOf("file" in source ? source.file : source.name, cases)] };
  }
  const last = summary !== undefined && { summary };
  return { data, drift, lines: [...entryLines(entries), ...end], ...last };
}
