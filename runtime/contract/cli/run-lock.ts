import { existsSync } from "node:fs";
import { type Context, type Outcome, type Values, failsOn, usageError } from "mcp-codegen/cli";
import { contractDiff } from "../diff/contract-diff.js";
import { canonicalJson } from "../index.js";
import type { Diagnostics } from "mcp-codegen";
import type { ContractList } from "../families.js";
import {
  type Definition,
  type LockedServer,
  type LockFile,
  readingOf,
  type ServerReading,
} from "../lock/lock-file.js";
import type { ServerVisit } from "../read/read-server.js";
import { coveredLists } from "../server-contract.js";
import { lockServer } from "../lock/lock-server.js";
import { readLock } from "../lock/read-lock.js";
import { lockText } from "../lock/write-lock.js";
import { type LockJob, readJobs } from "./jobs.js";
import { lockOutcome, type LockReport } from "./lock-report.js";
import { serverName } from "./server-name.js";
import { visitServer } from "./visit.js";
import { writeLock } from "./write-lock-file.js";

/** `lock`: contracts of servers, into the lock file. */
export async function runLock(values: Values, context: Context): Promise<Outcome | undefined> {
  const { diagnostics, progress } = context;
  const file = values.text("out")!;
  const isCheck = values.flag("check");
  const timeout = values.number("timeout") ?? 0;
  if (!(timeout > 0 && timeout <= 3600)) {
    diagnostics.add(usageError("--timeout must be between 0 and 3600 seconds."));
  }
  if (values.text("fail-on") !== undefined && !isCheck) {
    diagnostics.add(usageError("--fail-on is for --check."));
  }
  const lock = existsSync(file) || isCheck ? readLock(file, diagnostics) : undefined;
  if (diagnostics.hasErrors) return undefined;
  const jobs = readJobs(values, lock, diagnostics);
  if (jobs === undefined) return undefined;
  const reports: LockReport[] = [];
  let next: LockFile = lock ?? { lockVersion: 1, servers: {} };
  for (const [index, job] of jobs.entries()) {
    const place = jobs.length > 1 ? ` (${index + 1} of ${jobs.length})` : "";
    progress.step(`Reading ${job.name ?? "the server"}${place}`);
    const report = await lockOne(job, next, values, context);
    if (report === undefined) continue;
    reports.push(report);
    next = { ...next, servers: { ...next.servers, [report.name]: report.locked } };
  }
  if (isCheck) return checkOutcome(file, reports, values, context);
  // If one server is unreachable, no contract is written: a half-updated file is a state that the user did not
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
      hint: "What is not valid is not in the contract.",
    });
  }
  const reading = withFailedLists(name, visit, known, values.flag("check"), diagnostics);
  const read = lockServer(reading, job.source, name, diagnostics);
  if (read === undefined) return undefined;
  const before = known && values.flag("check") ? inScope(known, read, name, diagnostics) : known;
  // An unchanged contract keeps its bytes, whatever the order of its sets.
  const locked = before?.digest === read.digest ? { ...before, source: job.source } : read;
  const changes = before ? contractDiff(name, readingOf(before), readingOf(locked)) : [];
  return { name, locked, before, changes };
}

/** Handles lists that the server answered with an error: a locked list stays as it is, a new one is not covered. */
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
      ? "They stay as they are locked."
      : "The contract does not cover them; --only adds them later.";
    diagnostics.add({ code: "MCG9007", severity: "warning", message: problem, hint });
  }
  if (missing.length === 0) return { ...reading, ...Object.fromEntries(kept) };
  const only = coveredLists(reading).filter((list) => !missing.includes(list));
  return { ...reading, ...Object.fromEntries(kept), scope: { ...reading.scope, only } };
}

/** The part of a locked server that another scope covers. */
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
  const given = values.text("fail-on") ?? "any";
  for (const { name, before } of reports) {
    if (before !== undefined) continue;
    diagnostics.add(
      usageError(
        `${file} has no server ${JSON.stringify(name)} to compare with.`,
        "The same command without --check adds it.",
      ),
    );
  }
  const isDrift = reports.some(({ changes, before, locked }) =>
    given === "any" ? before?.digest !== locked.digest : failsOn(changes, given),
  );
  return { ...lockOutcome(file, reports, true), drift: isDrift };
}
