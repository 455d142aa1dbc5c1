import { type Launch, Program } from "../core/program.js";
import { type Contestant, interleave, type Rounds } from "../core/rounds.js";
import { type Effort, type Section, type SectionResult, tableOf } from "../core/section.js";
import { Sessions } from "../drivers/growth/sessions.js";
import { coldStart } from "../drivers/stdio/cold-start.js";
import { type Kind, kinds, revisionOf } from "../drivers/stdio/conversation.js";
import { conditionsOf, pinned, serversOf } from "../drivers/stdio/servers.js";

/** The factor for the rounds, because starts vary more than calls and take less time. */
const STARTS = 4;

async function run(effort: Effort): Promise<SectionResult> {
  const starts = new Map<string, Rounds>();
  for (const kind of kinds) starts.set(kind, await measureStarts(kind, effort));
  const contestants = sessionServers.map(([name, launch]): Contestant => ({
    name,
    measure: () => heapPerSession(launch, effort),
  }));
  const memory = new Map([["idle session", await interleave(contestants, effort.rounds)]]);
  return {
    tables: [
      tableOf(
        { id: "start", title: "Cold start", unit: "ms", baseline: "universal" },
        starts,
        "time",
      ),
      tableOf(
        { id: "memory", title: "Heap per session", unit: "KiB", baseline: "universal" },
        memory,
        "heap",
      ),
    ],
    notes: [
      "Starts are plain, without flags of Node or a cache of compiled code. `universal` and the peers import zod for the schemas of their tools; the package of one revision takes JSON Schema.",
      "A session is opened over HTTP by `initialize` and `notifications/initialized`: 1,000 of them, after 200 that are not counted. Both SDKs have a server and a transport for each session, as their documentation shows.",
    ],
  };
}

/** Measures the starts. Each contestant's first start fills the file system's caches and does not count. */
async function measureStarts(kind: Kind, { rounds, isSmoke }: Effort): Promise<Rounds> {
  const contestants = serversOf(kind, { KIND: kind }).map((server) => ({
    name: server.name,
    measure: async () => ({ time: await coldStart(server, kind) }),
  }));
  if (isSmoke) return interleave(contestants, rounds);
  for (const { measure } of contestants) await measure();
  return interleave(contestants, STARTS * rounds);
}

const env = { REVISION: revisionOf.session };
const sessionServers: readonly (readonly [name: string, launch: Launch])[] = [
  [pinned, ["http/pinned.mjs", env, [...conditionsOf("session"), "--expose-gc"]]],
  ["universal", ["http/universal.mjs", env, ["--expose-gc"]]],
  ["sdk 1.32", ["http/sdk-1.mjs", env, ["--expose-gc"]]],
  ["sdk 2.4", ["http/sdk-2.mjs", env, ["--expose-gc"]]],
];

function heapPerSession(launch: Launch, { isSmoke }: Effort): Promise<{ heap: number }> {
  const counted = isSmoke ? 10 : 1000;
  return Program.use(launch, async (program) => {
    const sessions = await Sessions.on(await program.said<number>());
    await sessions.open(counted / 5);
    const before = await settledHeap(program);
    await sessions.open(counted);
    const after = await settledHeap(program);
    sessions.end();
    return { heap: (after - before) / counted / 1024 };
  });
}

/** Returns the heap size after two collections, because the second one frees what the first one finalises. */
async function settledHeap(program: Program): Promise<number> {
  await program.usage();
  return (await program.usage()).heap;
}

export const section: Section = {
  id: "start",
  title: "Start and memory",
  about:
    "Milliseconds from the spawn of a stdio server to the end of its first answer, where the request is sent at once: `initialize` for a session, a small call without one. And by how much the heap of an HTTP server grows with each open session, after a garbage collection.",
  run,
};
