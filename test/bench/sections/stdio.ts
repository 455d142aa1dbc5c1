import type { Depth, Plot, Section, SectionResult } from "../core/section.js";
import { smallCall } from "../drivers/stdio/cases.js";
import { type Era, newest } from "../drivers/stdio/conversation.js";
import { clientTables, measureClients } from "./stdio-clients.js";
import { eras, type Measured, measureServers, serverTables } from "./stdio-servers.js";
import { clientTargets, serverTargets } from "./stdio-targets.js";

async function run(depth: Depth): Promise<SectionResult> {
  const servers = new Map<Era, Measured>();
  for (const era of eras) servers.set(era, await measureServers(era, depth));
  const clients = await measureClients(depth);
  return {
    tables: [
      ...[...servers].flatMap(([era, measured]) => serverTables(era, measured)),
      ...clientTables(clients),
    ],
    targets: [...serverTargets(servers), ...clientTargets(clients)],
    plots: [smallCalls(servers)],
    notes: [
      "The limit neither validates messages nor checks arguments. It puts the answers to all requests of a chunk into one write, but starts another when 64 KiB have come together; its answer to `tools/list` is a prepared string.",
      "All others check the arguments of calls; that they refuse wrong ones is part of each round.",
      "Clients call the limit's server, and only their own process is measured. `sdk 2.4` is told which era it meets; `universal` finds out.",
      "Asked for 2025-11-25, `tmcp` answers that it speaks 2025-06-18, and is measured at that. It has no client.",
      "`sdk 1.32` has only revisions with a handshake. `mcp-lite` has no stdio transport.",
    ],
  };
}

function smallCalls(servers: ReadonlyMap<Era, Measured>): Plot {
  return {
    name: "stdio-small-call",
    title: "CPU of a stdio server for each small call",
    kind: "bars",
    x: { label: "", scale: "category" },
    y: { label: "µs", scale: "log" },
    series: [...servers].map(([era, measured]) => ({
      name: `${era} (${newest[era]})`,
      points: [...measured.get(smallCall)!].map(([name, { cpu }]) => [name, cpu.median] as const),
    })),
  };
}

export const section: Section = {
  id: "stdio",
  title: "stdio",
  about:
    "A driver keeps 64 requests in flight to a server that is its child, writes prepared bytes and counts the lines of the answers, of which it reads the first, the last and some between. The main figure is what the server's process spends on a request: user and system time of all its threads, over 0.7 s. Before that each is warmed up: for 0.7 s, and slow ones until they have answered 10,000 requests, or for 2.5 s. A fresh process per contestant and round. Clients are measured from inside: 64 calls in flight to the bare server, and the time that their own process spends on one.",
  run,
};
