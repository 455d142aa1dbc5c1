import { type Launch, Program } from "../core/program.js";
import { interleave, type Rounds } from "../core/rounds.js";
import { type Effort, type Section, type SectionResult, tableOf } from "../core/section.js";
import { listOf100, smallCall } from "../drivers/stdio/cases.js";
import { type Kind, kinds } from "../drivers/stdio/conversation.js";
import { cpuOfServer } from "../drivers/stdio/measure-server.js";
import { extentOf, type Load } from "../drivers/stdio/pipeline.js";
import { conditionsOf, moved, pinned, serversOf } from "../drivers/stdio/servers.js";

async function run(effort: Effort): Promise<SectionResult> {
  const calls = new Map<string, Rounds>();
  const lists = new Map<string, Rounds>();
  const clients = new Map<string, Rounds>();
  for (const kind of kinds) calls.set(kind, await servers(kind, smallCall, effort));
  for (const kind of kinds) lists.set(kind, await servers(kind, listOf100, effort));
  for (const kind of kinds) clients.set(kind, await measureClients(kind, effort));
  const shared = { unit: "µs", baseline: "universal" } as const;
  return {
    tables: [
      tableOf({ id: "stdio", title: "CPU of the server per call", ...shared }, calls, "cpu"),
      tableOf(
        { id: "stdio-list", title: "CPU of the server per `tools/list` of 100 tools", ...shared },
        lists,
        "cpu",
      ),
      tableOf(
        { id: "stdio-client", title: "CPU of the client per call", ...shared },
        clients,
        "cpu",
      ),
    ],
    notes: [
      "The limit neither validates messages nor checks arguments, and its answer to `tools/list` is a prepared string. All others check arguments; each round proves it with wrong ones.",
      "Asked for 2025-11-25, `tmcp` answers that it speaks 2025-06-18 and is measured at that. It has no client. `sdk 1.32` has only revisions with sessions, `mcp-lite` has no stdio transport.",
      "Clients call the limit's server, and only their own process is measured. `sdk 2.4` is told which kind of conversation it meets; `universal` finds out.",
    ],
  };
}

/** Measures the servers. A long list costs so much that similar peers would add only time. */
function servers(kind: Kind, load: Load, effort: Effort): Promise<Rounds> {
  const isList = load === listOf100;
  const contestants = serversOf(kind, isList ? { TOOLS: "100" } : {})
    .filter(({ name }) => !isList || !["sdk 1.32", "tmcp 1.20"].includes(name))
    .map((server) => ({
      name: server.name,
      measure: async () => ({ cpu: await cpuOfServer(server, kind, load, effort) }),
    }));
  return interleave(contestants, effort.rounds);
}

function measureClients(kind: Kind, effort: Effort): Promise<Rounds> {
  const env = {
    KIND: kind,
    WARM_UP: JSON.stringify(extentOf(effort)),
    MEASURED: String(effort.measured),
  };
  const launches: Record<string, Launch> = {
    limit: ["client/limit.mjs", env],
    [pinned]: ["client/pinned.mjs", env, conditionsOf(kind)],
    universal: ["client/universal.mjs", env],
    [moved]: ["client/moved.mjs", env],
    ...(kind === "session" && { "sdk 1.32": ["client/sdk-1.mjs", env] }),
    "sdk 2.4": ["client/sdk-2.mjs", env],
  };
  const contestants = Object.entries(launches).map(([name, launch]) => ({
    name,
    measure: () => Program.use(launch, (program) => program.said<{ cpu: number }>()),
  }));
  return interleave(contestants, effort.rounds);
}

export const section: Section = {
  id: "stdio",
  title: "stdio",
  about:
    "Microseconds that the process of a server spends on a request: user and system time of all its threads, garbage collection included. A driver keeps 64 requests in flight to a server that is its child, writes prepared bytes and counts the lines of the answers, of which it reads the first, the last and some between. Clients are measured from inside, with 64 calls in flight.",
  run,
};
