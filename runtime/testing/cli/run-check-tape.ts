import {
  bundledRevision,
  type Context,
  type Outcome,
  packageVersion,
  renderJson,
  unknownRevision,
  usageError,
  type Values,
} from "mcp-codegen/cli";
import { createJudge, type Finding } from "../checks/index.js";
import { entryOfTape } from "../report/entries.js";
import { findingCases, gapCases, junitOf } from "../report/junit.js";
import { entryLines, summaryLine } from "../report/lines.js";
import { sarifOf } from "../report/sarif.js";
import { failsAt, summaryOf } from "../report/summary.js";
import { openTape, TapeError } from "../tape/index.js";

/** `check-tape`: reports findings in the lines of a tape. */
export async function runCheckTape(
  values: Values,
  { diagnostics, progress }: Context,
): Promise<Outcome | undefined> {
  const formats = ["json", "sarif", "junit"].filter((name) => values.flag(name));
  if (formats.length > 1) {
    diagnostics.add(
      usageError(`--${formats.join(" and --")} cannot be combined.`, "Use one of them."),
    );
  }
  const revision = values.text("revision");
  if (revision !== undefined && bundledRevision(revision) === undefined) {
    diagnostics.add(unknownRevision(revision));
  }
  if (revision !== undefined && values.flag("all-revisions")) {
    diagnostics.add(
      usageError("--revision and --all-revisions cannot be combined.", "Use one of them."),
    );
  }
  if (diagnostics.hasErrors) return undefined;
  const file = values.text("file")!;
  progress.step(`Checking ${file}`);
  const findings: Finding[] = [];
  const judge = createJudge({
    revision: values.flag("all-revisions") ? "all" : revision,
    hints: values.flag("hints"),
  });
  try {
    for await (const line of await openTape(file)) findings.push(...judge.add(line));
    findings.push(...judge.end());
  } catch (error) {
    const message = problemOf(error, file);
    if (message === undefined) throw error;
    diagnostics.add({ code: "MCG9201", severity: "error", message });
    return undefined;
  }
  const limit = values.text("fail-on") ?? "error";
  const drift = failsAt(findings, limit);
  const entries = findings.map(entryOfTape);
  const gaps = judge.isLimited ? [LIMITED] : [];
  if (values.flag("sarif")) {
    const log = sarifOf(entries, { file }, packageVersion(), gaps);
    return { data: {}, lines: [renderJson(log, 2)], drift };
  }
  if (values.flag("junit")) {
    const report = junitOf(file, [...findingCases(entries, [], limit), ...gapCases(gaps)]);
    return { data: {}, lines: [report], drift };
  }
  return {
    data: { file, findings, limited: judge.isLimited, summary: summaryOf(findings) },
    lines: entryLines(entries),
    summary: [summaryLine(findings), ...gaps].join("\n"),
    drift,
  };
}

const LIMITED =
  "There are more findings: only the first 10,000 findings of a conversation are reported at each revision.";

/** Reason why a tape cannot be read; undefined for another error. */
export function problemOf(error: unknown, file: string): string | undefined {
  if (error instanceof TapeError) return `${file}: ${error.message}.`;
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return `${file} does not exist.`;
  if (code === "EISDIR") return `${file} is a folder.`;
  if (code === "EACCES") return `${file} cannot be read: access is denied.`;
  return undefined;
}
