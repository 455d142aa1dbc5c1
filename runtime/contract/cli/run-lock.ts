import { existsSync } from "node:fs";
import {
  type Context,
  type Outcome,
  type Values,
  failsOn,
  usageError,
  type Text,
  count,
  paint,
  place,
  readText,
  refusePath,
} from "mcp-codegen/cli";
import { contractDiff } from "../diff/contract-diff.js";
import { canonicalJson } from "../index.js";
import type { Diagnostics } from "mcp-codegen";
import { type ContractList, FAMILIES, LISTS } from "../families.js";
import {
  type Definition,
  type LockedServer,
  type LockFile,
  readingOf,
  type ServerReading,
  lockText,
  LOCK_LIMITS,
} from "../lock/lock-file.js";
import type { ServerVisit } from "../read/read-server.js";
import { coveredLists } from "../server-contract.js";
import { lockServer } from "../lock/lock-server.js";
import { readLock } from "../lock/read-lock.js";
import { type LockJob, readJobs } from "./jobs.js";
import { serverName } from "./server-name.js";
import { visitServer } from "./visit.js";
import type { ContractChange } from "../diff/change.js";
import { changeLines } from "./run-diff.js";

/** Runs `lock`, which writes server contracts to the lock file or, with `--check`, compares them with it. */
export async function runLock(values: Values, context: Context): Promise<Outcome | undefined> {
  const { diagnostics, progress } = context;
  const file = values.text("out")!;
  const isCheck = values.flag("check");
  if (values.text("fail-on") !== undefined && !isCheck) {
    diagnostics.add(usageError("--fail-on needs --check."));
  }
  const lock = existsSync(file) || isCheck ? readLock(file, diagnostics) : undefined;
  if (diagnostics.hasErrors) return undefined;
  const jobs = readJobs(values, lock, diagnostics);
  if (jobs === undefined) return undefined;
  const reports: LockReport[] = [];
  let next: LockFile = lock ?? { lockVersion: 1, servers: {} };
  for (const [index, job] of jobs.entries()) {
    const position = jobs.length > 1 ? ` (${index + 1} of ${jobs.length})` : "";
    progress.step(`Reading ${job.name ?? "the server"}${position}`);
    const report = await lockOne(job, next, values, context);
    if (report === undefined) continue;
    reports.push(report);
    next = { ...next, servers: { ...next.servers, [report.name]: report.locked } };
  }
  if (isCheck) return checkOutcome(file, reports, values, context);
  // If one server cannot be read, nothing is written: a half-updated file would be a state that the user did not
  // choose.
  if (diagnostics.hasErrors) return undefined;
  const isWritten = writeLock(file, lockText(next), diagnostics);
  return isWritten ? lockOutcome(file, reports) : undefined;
}

async function lockOne(
  job: LockJob,
  lock: LockFile,
  values: Values,
  { diagnostics, progress }: Context,
): Promise<LockReport | undefined> {
  const visit = await visitServer(job, values, diagnostics, progress);
  if (visit === undefined) return undefined;
  const name = serverName(job, visit.reading);
  const known = Object.hasOwn(lock.servers, name) ? lock.servers[name] : undefined;
  for (const problem of visit.problems) {
    diagnostics.add({
      code: "MCG9006",
      severity: "warning",
      message: `${name}: ${problem.replace(/\.?$/, ".")}`,
      hint: "Invalid definitions are left out of the contract.",
    });
  }
  const reading = withFailedLists(name, visit, known, values.flag("check"), diagnostics);
  const read = lockServer(reading, job.source, name, diagnostics);
  if (read === undefined) return undefined;
  const before = known && values.flag("check") ? inScope(known, read, name, diagnostics) : known;
  // An unchanged contract keeps its text, even if the server now lists members of a set in another order.
  const locked = before?.digest === read.digest ? { ...before, source: job.source } : read;
  const changes = before ? contractDiff(name, readingOf(before), readingOf(locked)) : [];
  return { name, locked, before, changes };
}

/**
 * Handles lists for which the server returned an error. A list that the contract already covers stays unchanged; any
 * other list is left out.
 */
function withFailedLists(
  name: string,
  { reading, failed }: ServerVisit,
  known: LockedServer | undefined,
  isCheck: boolean,
  diagnostics: Diagnostics,
): ServerReading {
  const missing: ContractList[] = [];
  const kept: [ContractList, readonly Definition[]][] = [];
  for (const [list, reason] of failed) {
    const isKnown = known !== undefined && coveredLists(known).includes(list);
    const problem = `${name}: its ${list} could not be read: ${reason.replace(/\.?$/, ".").slice(0, 500)}`;
    if (isKnown) kept.push([list, readingOf(known)[list]]);
    else missing.push(list);
    if (isKnown && isCheck) {
      diagnostics.add({ code: "MCG9101", severity: "error", message: problem });
      continue;
    }
    const hint = isKnown
      ? "They stay as they are in the lock file."
      : "The contract does not cover them; --only adds them later.";
    diagnostics.add({ code: "MCG9007", severity: "warning", message: problem, hint });
  }
  if (missing.length === 0) return { ...reading, ...Object.fromEntries(kept) };
  const only = coveredLists(reading).filter((list) => !missing.includes(list));
  return { ...reading, ...Object.fromEntries(kept), scope: { ...reading.scope, only } };
}

function inScope(
  known: LockedServer,
  { scope }: LockedServer,
  name: string,
  diagnostics: Diagnostics,
): LockedServer {
  if (canonicalJson(scope) === canonicalJson(known.scope)) return known;
  const reading = { ...readingOf(known), ...(scope && { scope }) };
  return lockServer(reading, known.source, name, diagnostics) ?? known;
}

async function checkOutcome(
  file: string,
  reports: readonly LockReport[],
  values: Values,
  { diagnostics }: Context,
): Promise<Outcome | undefined> {
  const threshold = values.text("fail-on") ?? "any";
  for (const { name, before } of reports) {
    if (before !== undefined) continue;
    diagnostics.add(
      usageError(
        `${file} has no server ${JSON.stringify(name)} to compare with.`,
        "To add it, run the same command without --check.",
      ),
    );
  }
  const isDrift = reports.some(({ changes, before, locked }) =>
    threshold === "any" ? before?.digest !== locked.digest : failsOn(changes, threshold),
  );
  return { ...lockOutcome(file, reports, true), drift: isDrift };
}

export interface LockReport {
  readonly name: string;
  readonly locked: LockedServer;
  readonly before: LockedServer | undefined;
  readonly changes: readonly ContractChange[];
}

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
      : `${count(changed.length, "server")} out of date. Review the changes; the same command without --check accepts them.`
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

/** Writes a lock file atomically. If the file already has this text, it is left untouched. */
export function writeLock(file: string, text: string, diagnostics: Diagnostics): boolean {
  try {
    const isThere = existsSync(file);
    if (isThere && readText(file, LOCK_LIMITS.file).replaceAll("\r\n", "\n") === text) return true;
  } catch (error) {
    refusePath("read", file, error, diagnostics);
    return false;
  }
  return place(file, Buffer.from(text), true, diagnostics) !== undefined;
}
