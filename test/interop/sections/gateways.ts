import { join } from "node:path";
import type { Program } from "../core/child.js";
import { inParallel } from "../core/in-parallel.js";
import { judge, score } from "../core/judge.js";
import type { GatewayEntry, ServerEntry, Start } from "../core/manifest.js";
import { executable, type Packages } from "../core/packages.js";
import type { Part, Row } from "../core/row.js";
import type { Scratch } from "../core/scratch.js";
import type { Task, Visit } from "../core/visit.js";
import { type Place, rivalNames, type Visitors } from "../core/visitors.js";
import { placeOf } from "./servers.js";

/** The server behind a gateway. */
interface Backing {
  readonly name: string;
  readonly program: Program;
  readonly starts: Readonly<Record<GatewayEntry["behind"], Start>>;
  readonly call: Task["call"];
}

const official: ServerEntry = {
  package: "@modelcontextprotocol/server-everything",
  version: "2026.8.31",
};

const port = { PORT: "{port}" };

async function backings(packages: Packages, ours: string): Promise<Backing[]> {
  const listening = { args: ["http", "{port}"] };
  return [
    {
      name: "ours",
      program: { file: process.execPath, args: [join(ours, "programs/our-server.mjs")] },
      starts: { stdio: { args: ["stdio"] }, http: listening, sse: listening },
      call: { name: "echo", arguments: { value: "hi" } },
    },
    {
      name: "server-everything",
      program: executable(await packages.folder(official), official),
      starts: {
        stdio: { args: ["stdio"] },
        http: { args: ["streamableHttp"], env: port },
        sse: { args: ["sse"], env: port },
      },
      call: { name: "echo", arguments: { message: "hi" } },
    },
  ];
}

/** Visits our server and an official one through gateways. */
export async function visitGateways(
  entries: readonly GatewayEntry[],
  packages: Packages,
  ours: string,
  visitors: Visitors,
  report: (line: string) => void,
): Promise<Part> {
  const servers = await backings(packages, ours);
  const pairs = await inParallel(entries, 2, async (entry) => {
    const rows: Row[] = [];
    let reference: Readonly<Record<string, Visit>> = {};
    // The official server comes first, because what a gateway loses there is not our fault.
    for (const server of servers.toReversed()) {
      const gateway = executable(await packages.folder(entry), entry);
      const place = (scratch: Scratch) => chainOf(gateway, entry, server, scratch);
      const visits = await visitors.visitAll(place, { call: server.call });
      const verdict = judge(visits, scoped(entry.expected, server.name));
      const all = { ours: visits.ours, ...visits.official };
      const lost = server.name === "ours" ? lossesBeside(all, reference) : [];
      reference = all;
      const failures = [...verdict.failures, ...lost, ...verdict.stale];
      const texts = [...failures.map((text) => `**${text}**`), ...verdict.remarks];
      const scores = [visits.ours, ...rivalNames.map((name) => visits.official[name]!)].map(score);
      const cells = [
        entry.name,
        `${entry.package}@${entry.version}`,
        server.name,
        visits.ours.revision ?? "",
        ...scores,
        texts.join("; "),
      ];
      rows.push({ cells, failures });
      report(cells.join(" | "));
    }
    return rows;
  });
  return {
    title: "Gateways",
    about:
      "The same visits through gateways, to our server and to an official one. It is a failure of ours when an official client passes " +
      "what ours does not, or when an official client connects to the official server, but not to ours.",
    head: ["Gateway", "Package", "Server", "Revision", "Ours", ...rivalNames, "Remarks"],
    rows: pairs.flat(),
  };
}

/** Returns the expected failures at one server, from keys such as `ours/connect`. */
function scoped(expected: GatewayEntry["expected"] = {}, server: string) {
  const entries = Object.entries(expected).filter(([key]) => key.startsWith(`${server}/`));
  return Object.fromEntries(entries.map(([key, why]) => [key.slice(server.length + 1), why]));
}

/** Returns the steps that a client passes with the official server and fails with ours. */
export function lossesBeside(
  ours: Readonly<Record<string, Visit>>,
  reference: Readonly<Record<string, Visit>>,
): string[] {
  return Object.entries(ours).flatMap(([client, { steps }]) =>
    Object.entries(steps)
      .filter(([name, step]) => !step.ok && reference[client]?.steps[name]?.ok)
      .map(([name, { note }]) => `${client} with our server only: ${name}: ${note}`),
  );
}

/** Starts the server, and the gateway in front of it. */
async function chainOf(
  gateway: Program,
  { front, behind, start }: GatewayEntry,
  server: Backing,
  scratch: Scratch,
): Promise<Place> {
  const back = await placeOf(server.program, behind, server.starts[behind], scratch);
  const { target } = back;
  const values: Record<string, string> =
    target.over === "stdio"
      ? { command: [target.command, ...target.args].join(" ") }
      : { url: target.url };
  try {
    const place = await placeOf(gateway, front, start, scratch, values);
    const end = async () => {
      await place.end();
      await back.end();
    };
    return { target: place.target, end };
  } catch (error) {
    await back.end();
    throw error;
  }
}
