import { existsSync } from "node:fs";
import { failsOn } from "../change-classes.js";
import type { LockedServer, LockFile } from "../../contract/lock/lock-file.js";
import type { Context, Values } from "../command.js";
import { usageError } from "../explain-usage.js";
import type { Outcome } from "../outcome.js";
import { type LockJob, readJobs } from "./jobs.js";
import { loadPart } from "./modules.js";
import { lockOutcome, type LockReport } from "./report.js";
import { writeLock } from "./write.js";

type Part = typeof import("./part.js");

/** `lock`: contracts of servers, into the lock file. */
export async function runLock(values: Values, context: Context): Promise<Outcome | undefined> {
  const { diagnostics, progress } = context;
  const part = await loadPart(() => import("./part.js"), diagnostics);
  if (part === undefined) return undefined;
  const file = values.text("out")!;
  const isCheck = values.flag("check");
  const timeout = values.number("timeout") ?? 0;
  if (!(timeout > 0 && timeout <= 3600)) {
    diagnostics.add(usageError("--timeout must be between 0 and 3600 seconds."));
  }
  if (values.text("fail-on") !== undefined && !isCheck) {
    diagnostics.add(usageError("--fail-on is for --check."));
  }
  const lock = existsSync(file) || isCheck ? part.readLock(file, diagnostics) : undefined;
  if (diagnostics.hasErrors) return undefined;
  const jobs = readJobs(values, lock, diagnostics);
  if (jobs === undefined) return undefined;
  const reports: LockReport[] = [];
  let next: LockFile = lock ?? { lockVersion: 1, servers: {} };
  for (const [index, job] of jobs.entries()) {
    const place = jobs.length > 1 ? ` (${index + 1} of ${jobs.length})` : "";
    progress.step(`Reading ${job.name ?? "the server"}${place}`);
    const report = await lockOne(part, job, next, values, context);
    if (report === undefined) continue;
    reports.push(report);
    next = { ...next, servers: { ...next.servers, [report.name]: report.locked } };
  }
  if (isCheck) return checkOutcome(file, reports, values, context);
  // One server that is away keeps the others from being written: half a file is no state that anybody chose.
  if (diagnostics.hasErrors) return undefined;
  const isWritten = writeLock(file, part.lockText(next), diagnostics);
  return isWritten ? lockOutcome(file, reports) : undefined;
}

async function lockOne(
  part: Part,
  job: LockJob,
  lock: LockFile,
  values: Values,
  { diagnostics }: Context,
): Promise<LockReport | undefined> {
  const { visitServer } = await import("./visit.js");
  const visit = await visitServer(job, values, diagnostics);
  if (visit === undefined) return undefined;
  const name = part.serverName(job, visit.reading);
  for (const problem of visit.problems) {
    diagnostics.add({
      code: "MCG9006",
      severity: "warning",
      message: `${name}: ${problem.replace(/\.?$/, ".")}`,
      hint: "What is not valid is not in the contract.",
    });
  }
  const locked = part.lockServer(visit.reading, job.source, name, diagnostics);
  if (locked === undefined) return undefined;
  const before: LockedServer | undefined = Object.hasOwn(lock.servers, name)
    ? lock.servers[name]
    : undefined;
  const changes = before
    ? part.contractDiff(name, part.readingOf(before), part.readingOf(locked))
    : [];
  return { name, locked, before, changes };
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
