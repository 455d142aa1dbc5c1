import { dirname } from "node:path";
import type { Diagnostic } from "mcp-codegen";
import {
  bundledRevision,
  type Context,
  type Outcome,
  unknownRevision,
  type Values,
} from "mcp-codegen/cli";
import { createJudge, type Finding } from "../checks/index.js";
import { entryOfTape } from "../report/entries.js";
import { summaryLine } from "../report/lines.js";
import { reportOf } from "../report/report.js";
import { summaryOf } from "../report/summary.js";
import { openTape, TapeError } from "../tape/index.js";
import { emptyTape } from "../tape/tape-format.js";

export async function runCheckTape(
  values: Values,
  { diagnostics, progress }: Context,
): Promise<Outcome | undefined> {
  const revision = values.text("revision");
  if (revision !== undefined && bundledRevision(revision) === undefined) {
    diagnostics.add(unknownRevision(revision));
  }
  if (diagnostics.hasErrors) return undefined;
  const file = values.text("file")!;
  progress.step(`Checking ${file}`);
  const findings: Finding[] = [];
  const judge = createJudge({
    revision: values.flag("all-revisions") ? "all" : revision,
    hints: values.flag("hints"),
  });
  let isEmpty = true;
  try {
    for await (const line of await openTape(file)) {
      isEmpty &&= line.from === undefined;
      findings.push(...judge.add(line));
    }
    if (isEmpty) throw emptyTape();
    findings.push(...judge.end());
  } catch (error) {
    return reportUnreadable(error, file, diagnostics);
  }
  const gaps = judge.isLimited ? [LIMITED] : [];
  const data = { file, findings, limited: judge.isLimited, summary: summaryOf(findings) };
  const summary = [summaryLine(findings), ...gaps].join("\n");
  const entries = findings.map(entryOfTape);
  return reportOf({ source: { file }, entries, data, gaps, summary }, values);
}

const LIMITED =
  "There are more findings: only the first 10,000 findings of a conversation are reported in each revision.";

/** Adds a diagnostic if the tape cannot be read; rethrows any other error. */
export function reportUnreadable(
  error: unknown,
  file: string,
  diagnostics: Context["diagnostics"],
): undefined {
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === undefined ? undefined : REASONS[code];
  if (!(error instanceof TapeError) && reason === undefined) throw error;
  const head = { code: "MCG9201", severity: "error" } as const;
  if (error instanceof TapeError && !error.isTape) {
    const problem = error.problem.replace(/^it\b/, "its first line");
    const message = `${file} is not a tape: ${problem}.`;
    diagnostics.add({ ...head, message, hint: "mcp-codegen record writes tapes." });
  } else {
    const message = `${file}${reason ?? `: ${(error as Error).message}`}.`;
    diagnostics.add({ ...head, message });
  }
}

export function cannotWrite(path: string, code: string | undefined): Diagnostic {
  const folder = dirname(path);
  const [reason, hint] =
    code === "ENOENT"
      ? [`the folder ${folder} does not exist`, "Create it, or name another file."]
      : code === "EISDIR"
        ? ["it is a folder", "Name a file in it."]
        : code === "EACCES" || code === "EROFS"
          ? ["access is denied", "Check its rights, or name another file."]
          : [code ?? "for an unknown reason", "Name another file."];
  const message = `${path} cannot be written: ${reason}.`;
  return { code: "MCG9202", severity: "error", message, hint };
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: " does not exist",
  EISDIR: " is a folder",
  EACCES: " cannot be read: access is denied",
};
