import { type Launch, Program } from "../core/program.js";
import { interleave, type Rounds } from "../core/rounds.js";
import { type Effort, type Section, type SectionResult, tableOf } from "../core/section.js";
import { Messages } from "../drivers/growth/messages.js";
import { Sessions } from "../drivers/growth/sessions.js";
import { callOf } from "../drivers/stdio/cases.js";
import { open, revisionOf } from "../drivers/stdio/conversation.js";
import { cpuOfServer } from "../drivers/stdio/measure-server.js";
import { Pipeline } from "../drivers/stdio/pipeline.js";
import { conditionsOf, pinned, serversOf } from "../drivers/stdio/servers.js";

/** The minimum number of bytes that a server handles before it is measured, and again during the measurement. */
const BYTES = 50_000_000;

interface Dimension {
  readonly title: string;
  readonly small: number;
  readonly large: number;
  readonly contestants: readonly string[];
  /** Measures the CPU microseconds per call, or the nanoseconds per byte. */
  cost(contestant: string, size: number, effort: Effort): Promise<number>;
}

const contestants = ["limit", pinned, "universal", "sdk 2.4"];

const dimensions: readonly Dimension[] = [
  { title: "10,000 tools, against 10", small: 10, large: 10_000, contestants, cost: withTools },
  { title: "1,000 sessions, against 1", small: 1, large: 1000, contestants, cost: withSessions },
  {
    title: "a byte of 10 MB, against 100 KB",
    small: 100_000,
    large: 10_000_000,
    contestants: contestants.filter((name) => name !== "sdk 2.4"),
    cost: withMessages,
  },
];

const launchOf = (name: string, env: Record<string, string> = {}) =>
  serversOf("session", env).find((server) => server.name === name)!;

/** Calls the tool that was registered last. */
function withTools(name: string, size: number, effort: Effort): Promise<number> {
  const server = launchOf(name, { TOOLS: String(size) });
  return cpuOfServer(server, "session", callOf(`tool-${size - 1}`), effort);
}

const httpLaunches: Record<string, Launch> = {
  limit: ["http/limit.mjs"],
  [pinned]: ["http/pinned.mjs", {}, conditionsOf("session")],
  universal: ["http/universal.mjs"],
  "sdk 2.4": ["http/sdk-2.mjs", { REVISION: revisionOf.session }],
};

function withSessions(name: string, size: number, effort: Effort): Promise<number> {
  return Program.use(httpLaunches[name]!, async (program) => {
    const sessions = await Sessions.on(await program.said<number>());
    await sessions.open(size);
    await sessions.call(effort.warmUp, effort.warmUpRequests);
    const before = await program.usage();
    const calls = await sessions.call(effort.measured);
    const after = await program.usage();
    sessions.end();
    return (after.cpu - before.cpu) / calls;
  });
}

function withMessages(name: string, size: number, effort: Effort): Promise<number> {
  const bytes = effort.isSmoke ? 0 : BYTES;
  return Program.use(launchOf(name).launch, async (program) => {
    const { stdin, stdout } = program.child;
    await open(new Pipeline(stdin!, stdout!), "session");
    const messages = new Messages(stdin!, stdout!, size);
    await messages.check();
    await messages.drive(effort.warmUp, bytes);
    const before = await program.usage();
    const answered = await messages.drive(effort.measured, bytes);
    const after = await program.usage();
    await messages.check();
    return ((after.cpu - before.cpu) * 1000) / (answered * size);
  });
}

/** Measures both sizes in each round, one immediately after the other. */
function grow({ small, large, contestants: names, cost }: Dimension, effort: Effort) {
  const measured = names.map((name) => ({
    name,
    measure: async () => {
      const before = await cost(name, small, effort);
      const after = await cost(name, effort.isSmoke ? 2 * small : large, effort);
      return { growth: after / before };
    },
  }));
  return interleave(measured, effort.rounds);
}

async function run(effort: Effort): Promise<SectionResult> {
  const seen = new Map<string, Rounds>();
  for (const dimension of dimensions) seen.set(dimension.title, await grow(dimension, effort));
  const head = { id: "growth", title: "Cost of a call in a large server", unit: "x" } as const;
  return {
    tables: [tableOf(head, seen, "growth")],
    notes: [
      "Tools: over stdio, the call is of the tool that was registered last. Sessions: over HTTP with JSON answers, call by call in turn on 8 connections; the limit gives out session ids and keeps nothing.",
      "Messages: a text among the arguments, which comes back in the answer, over stdio. Ours is told to accept lines of 16 MiB: the default is 4 MiB.",
    ],
  };
}

export const section: Section = {
  id: "growth",
  title: "Growth",
  about:
    "How many times as much CPU a call costs when the server has more tools, when it has more open sessions, or for each byte of a longer message. 1 is ideal: a call should not pay for what it has nothing to do with. Both sizes are measured in each round, in processes of their own.",
  run,
};
