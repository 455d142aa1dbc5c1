import type { ContractChange } from "../diff/change.js";
import { FAMILIES, LISTS } from "../families.js";
import { type LockedServer } from "../lock/lock-file.js";
import { changeLines } from "./change-lines.js";
import { type Outcome, type Text, count, paint } from "mcp-codegen/cli";

/** One server that was read. */
export interface LockReport {
  readonly name: string;
  readonly locked: LockedServer;
  /** Contract in the file; undefined for a new server. */
  readonly before: LockedServer | undefined;
  readonly changes: readonly ContractChange[];
}

/** Reports what was read, and how it differs from the file. */
export function lockOutcome(
  file: string,
  reports: readonly LockReport[],
  isCheck = false,
): Outcome {
  const servers = reports.map((report) => ({
    name: report.name,
    status: statusOf(report),
    digest: report.locked.digest,
    changes: report.changes,
  }));
  const changed = servers.filter(({ status }) => status !== "unchanged");
  const summary = isCheck
    ? changed.length === 0
      ? `${file} is up to date.`
      : `${count(changed.length, "server")} out of step. Review the changes; the same command without --check accepts them.`
    : `${changed.length === 0 ? "Nothing has changed in" : "Wrote"} ${file}.`;
  return { data: { file, servers }, lines: reports.flatMap(linesOf), summary };
}

function statusOf({ before, locked }: LockReport): "new" | "changed" | "unchanged" {
  if (before === undefined) return "new";
  return before.digest === locked.digest ? "unchanged" : "changed";
}

function linesOf(report: LockReport): readonly Text[] {
  const { name, locked, changes } = report;
  const lists = LISTS.filter((list) => locked[list].length > 0).map((list) =>
    count(locked[list].length, FAMILIES[list].noun),
  );
  const revision = locked.revision === undefined ? [] : [locked.revision];
  const facts = [...revision, ...(lists.length === 0 ? ["offers nothing"] : lists)].join(", ");
  const status = statusOf(report);
  return [[paint("bold", name), `  ${facts}; ${status}`], ...changeLines(changes)];
}
