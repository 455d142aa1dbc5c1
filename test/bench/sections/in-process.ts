import { Program } from "../core/program.js";
import { type Contestant, interleave } from "../core/rounds.js";
import type { Depth, Section, SectionResult, Table } from "../core/section.js";

type Figures = "alone" | "together";

const handshake = "2025-11-25";
const stateless = "2026-07-28";

const peers = [
  { name: "universal", file: "universal" },
  { name: "sdk 1.32", file: "sdk-1", only: handshake },
  { name: "sdk 2.4", file: "sdk-2" },
];

function contestants(revision: string, depth: Depth): readonly Contestant<Figures>[] {
  const shown = peers.filter(
    ({ file, only = revision }) => only === revision && (depth === "full" || file !== "sdk-1"),
  );
  return [{ name: "limit", file: "limit" }, { name: revision, file: "pinned" }, ...shown].map(
    ({ name, file }) => ({ name, measure: () => measured(file, revision, depth) }),
  );
}

async function measured(file: string, revision: string, depth: Depth) {
  const PERIOD = depth === "full" ? "500" : "250";
  const program = new Program(`programs/in-process/${file}.mjs`, { REVISION: revision, PERIOD });
  try {
    return await program.said<Record<Figures, number>>();
  } finally {
    await program.end();
  }
}

async function table(revision: string, depth: Depth): Promise<Table> {
  const seen = await interleave(contestants(revision, depth), depth === "full" ? 3 : 1);
  return {
    title: `Calls in process, for each second of CPU, ${revision}`,
    unit: "per second",
    cases: ["one after the other", "64 at once"],
    rows: [...seen].map(([contestant, { alone, together }]) => ({
      contestant,
      cells: [alone, together],
    })),
    baseline: "limit",
  };
}

async function run(depth: Depth): Promise<SectionResult> {
  const revisions = depth === "full" ? [handshake, stateless] : [handshake];
  const tables: Table[] = [];
  for (const revision of revisions) tables.push(await table(revision, depth));
  return {
    tables,
    targets: [],
    plots: [],
    notes: [
      "The pairs of `limit`, of ours and of `universal` carry JSON text, so every message is serialised and parsed; those of both SDKs hand the object over as it is.",
      "`tmcp` and `mcp-lite` have no client and no pair in memory.",
    ],
  };
}

export const section: Section = {
  id: "in-process",
  title: "In process",
  about:
    "How many small `tools/call` a client makes in a second of CPU time to a server in the same process, through the pair of transports in memory that the contestant has for that (of all threads, so that other work on the machine counts less); more is better. The limit is a client and a server that turn messages into JSON text and back, and look up the tool and the waiting promise. A fresh process per round, warmed up for as long as it is measured.",
  run,
};
