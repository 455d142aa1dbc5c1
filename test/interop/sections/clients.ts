import { join } from "node:path";
import { runProgram } from "../core/child.js";
import { inParallel } from "../core/in-parallel.js";
import { type ClientEntry, type Expected, type Over, titleOf } from "../core/manifest.js";
import type { Packages } from "../core/packages.js";
import type { Part, Row } from "../core/row.js";
import { Scratch } from "../core/scratch.js";
import { placeOf } from "./servers.js";

interface Check {
  readonly ok?: boolean;
  readonly note?: string;
  /** The reason why this client version cannot do it. */
  readonly skipped?: string;
}

/** A client's checks, as its program prints them. */
export interface Drive {
  readonly revision?: string;
  readonly checks: Readonly<Record<string, Check>>;
  readonly reported: readonly string[];
}

interface Run {
  readonly entry: ClientEntry;
  readonly over: Over;
  readonly mode: string | undefined;
}

const DRIVE_TIMEOUT = 180_000;

export function runsOf(entry: ClientEntry): Run[] {
  return entry.overs.flatMap((over) => {
    // HTTP+SSE belongs to revisions that have a handshake.
    const modes = over === "sse" ? entry.modes?.slice(0, 1) : entry.modes;
    return (modes ?? [undefined]).map((mode) => ({ entry, over, mode }));
  });
}

/** Drives our server with versions of the official client. */
export async function driveClients(
  entries: readonly ClientEntry[],
  packages: Packages,
  ours: string,
  report: (line: string) => void,
): Promise<Part> {
  const rows = await inParallel(entries.flatMap(runsOf), 2, async (run) => {
    const row = await rowOf(run, packages, ours);
    report(row.cells.join(" | "));
    return row;
  });
  return {
    title: "Official clients",
    about:
      "Versions of the official client drive our server. A check counts where the version of the client and the agreed " +
      "revision have what it is about; it is left out otherwise.",
    head: ["Client", "Mode", "Over", "Revision", "Passed", "Left out", "Remarks"],
    rows,
  };
}

async function rowOf({ entry, over, mode }: Run, packages: Packages, ours: string): Promise<Row> {
  const drive = await driven({ entry, over, mode }, packages, ours);
  const checks = Object.entries(drive.checks);
  const passed = checks.filter(([, { ok }]) => ok).length;
  const skipped = checks.filter(([, check]) => check.skipped !== undefined);
  const { failures, remarks } = judgeDrive(drive, expectedOf(entry.expected, over, mode));
  const all = [
    ...failures.map((text) => `**${text}**`),
    ...remarks,
    ...drive.reported.map((text) => `reported: ${text}`),
  ];
  const cells = [
    titleOf(entry),
    mode ?? "",
    over,
    drive.revision ?? "",
    `${passed}/${checks.length - skipped.length}`,
    skipped.map(([name]) => name).join(", "),
    all.join("; "),
  ];
  return { cells, failures };
}

/** Returns the failed checks that are not expected, and the expected ones that pass. */
export function judgeDrive(
  { checks }: Drive,
  expected: Expected,
): { failures: string[]; remarks: string[] } {
  const failed = Object.entries(checks).filter(([, { ok }]) => ok === false);
  const failures = failed
    .filter(([name]) => expected[name] === undefined)
    .map(([name, { note }]) => `${name}: ${note}`);
  const stale = Object.keys(expected)
    .filter((name) => !failed.some(([failing]) => failing === name))
    .map((name) => `"${name}" is expected to fail, but does not: remove it from the manifest`);
  const remarks = Object.entries(expected).map(([name, reason]) => `${name}: ${reason}`);
  return { failures: [...failures, ...stale], remarks };
}

/** Returns the expected failures of one run, from keys such as `ping`, `ping (http)` and `ping (http, auto)`. */
export function expectedOf(
  expected: Expected = {},
  over: Over,
  mode: string | undefined,
): Expected {
  const scopes = [undefined, over, `${over}, ${mode}`];
  return Object.fromEntries(
    Object.entries(expected).flatMap(([key, reason]) => {
      const [, name, scope] = /^(.*?)(?: \(([^)]*)\))?$/.exec(key)!;
      return scopes.includes(scope) ? [[name!, reason]] : [];
    }),
  );
}

async function driven(
  { entry, over, mode }: Run,
  packages: Packages,
  ours: string,
): Promise<Drive> {
  const scratch = new Scratch();
  const start = { args: [over === "stdio" ? "stdio" : "http", "{port}"] };
  const server = { file: process.execPath, args: [join(ours, "programs/our-server.mjs")] };
  try {
    const folder = await packages.folder(entry);
    const generation = entry.package.endsWith("/client") ? 2 : 1;
    const { target, end } = await placeOf(server, over, start, scratch);
    const program = join(folder, `programs/drive-sdk${generation}.mjs`);
    const args = [program, JSON.stringify({ target, mode })];
    const ended = await runProgram({ file: process.execPath, args }, scratch, DRIVE_TIMEOUT);
    await end();
    const line = ended.stdout.trimEnd().split("\n").at(-1)!;
    if (line === "") throw new Error(ended.isTimedOut ? "the client hangs" : ended.stderr);
    return JSON.parse(line) as Drive;
  } catch (error) {
    const note = String((error as Error).message).slice(0, 300);
    return { checks: { connect: { ok: false, note } }, reported: [] };
  } finally {
    scratch.end();
  }
}
