import { type Program, startService } from "../core/child.js";
import { freePort } from "../core/free-port.js";
import { inParallel } from "../core/in-parallel.js";
import { judge, score } from "../core/judge.js";
import { type Over, type ServerEntry, type Start, titleOf } from "../core/manifest.js";
import { foundationOf, type Packages, programIn } from "../core/packages.js";
import type { Part, Row } from "../core/row.js";
import type { Scratch } from "../core/scratch.js";
import { withoutPaths } from "../core/visit.js";
import { type Place, rivalNames, type Visitors } from "../core/visitors.js";

/** A server entry with one of its transports. */
interface SetUp {
  readonly entry: ServerEntry;
  readonly over: Over;
  readonly start: Start;
}

export function setUpsOf(entry: ServerEntry): SetUp[] {
  const setUps = (["stdio", "http", "sse"] as const).flatMap((over) => {
    const start = entry[over];
    return start === undefined ? [] : [{ entry, over, start }];
  });
  return setUps.length === 0 ? [{ entry, over: "stdio", start: {} }] : setUps;
}

/** Visits published servers with our client and the official ones. */
export async function visitServers(
  entries: readonly ServerEntry[],
  packages: Packages,
  visitors: Visitors,
  report: (line: string) => void,
): Promise<Part> {
  const rows = await inParallel(entries.flatMap(setUpsOf), 2, async (setUp) => {
    const row = await rowOf(setUp, packages, visitors);
    report(row.cells.join(" | "));
    return row;
  });
  return {
    title: "Published servers",
    about:
      "Our client and the official ones visit each server: connect, all lists, a harmless call, a call of a tool that does " +
      "not exist, a resource, a prompt, a ping, close. Cells are passed steps of all; steps exist where the server declares the capability.",
    head: ["Server", "Built on", "Over", "Revision", "Ours", ...rivalNames, "Remarks"],
    rows,
  };
}

async function rowOf(
  { entry, over, start }: SetUp,
  packages: Packages,
  visitors: Visitors,
): Promise<Row> {
  const title = titleOf(entry);
  let program: Program;
  let on = entry.on;
  try {
    const folder = await packages.folder(entry);
    on ??= foundationOf(folder, entry);
    program = programIn(folder, entry);
  } catch (error) {
    const failure = `cannot be installed: ${(error as Error).message.slice(0, 300)}`;
    return { cells: [title, on ?? "", over, "", "", "", "", failure], failures: [failure] };
  }
  const place = (scratch: Scratch) => placeOf(program, over, start, scratch);
  const visits = await visitors.visitAll(place, { call: entry.call, read: entry.read });
  const { failures, stale, remarks } = judge(visits, entry.expected);
  const { ours, official, left } = visits;
  const all = [
    ...[...failures, ...stale].map((text) => `**${text}**`),
    ...remarks,
    ...ours.reported.map((text) => `reported: ${text}`),
    ...left.map((command) => `left behind: ${programOf(command)}`),
  ];
  const scores = [ours, ...rivalNames.map((name) => official[name]!)].map(score);
  return {
    cells: [title, on, over, ours.revision ?? "", ...scores, all.join("; ")],
    failures: [...failures, ...stale],
  };
}

/** Returns the program and file in a command line. */
function programOf(command: string): string {
  return withoutPaths(command).split(" ").slice(0, 2).join(" ");
}

/** Starts a server that listens. Over stdio, the client starts the server itself. */
export async function placeOf(
  program: Program,
  over: Over,
  start: Start,
  scratch: Scratch,
  values: Readonly<Record<string, string>> = {},
): Promise<Place> {
  const port = await freePort();
  const fill = (text: string) => scratch.fill(text, { port: String(port), ...values });
  for (const [name, text] of Object.entries(start.files ?? {})) scratch.write(name, text);
  const args = [...program.args, ...(start.args ?? []).map(fill)];
  const env = Object.fromEntries(
    Object.entries(start.env ?? {}).map(([name, value]) => [name, fill(value)]),
  );
  if (over === "stdio") {
    const environment = scratch.environment(env);
    const target = { over, command: program.file, args, env: environment, cwd: scratch.work };
    return { target, end: async () => {} };
  }
  const service = await startService({ file: program.file, args, env }, scratch, port);
  const url = `http://localhost:${port}${start.path ?? (over === "sse" ? "/sse" : "/mcp")}`;
  return { target: { over, url }, end: () => service.end() };
}
