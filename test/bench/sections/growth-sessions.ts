import { Program } from "../core/program.js";
import type { Depth, SectionResult } from "../core/section.js";
import { Sessions } from "../drivers/growth/sessions.js";
import { type Growing, ratioOf, type Shown, type Times } from "./growth-grown.js";
import { growthResult, type Promised } from "./growth-result.js";

/** As many for all, whatever their sessions: what is compiled depends on it. */
const WARM_UP_CALLS = 10_000;
const fewest = 1;
const most = 10_000;
const revision = "2025-11-25";
const ours = [revision, "universal"];

interface Server {
  readonly name: string;
  readonly file: string;
  /** More sessions than that take it too long to open. */
  readonly most: number;
}

const servers: readonly Server[] = [
  { name: "limit", file: "limit.mjs", most },
  { name: revision, file: "pinned.mjs", most },
  { name: "universal", file: "universal.mjs", most },
  { name: "sdk 2.4", file: "sdk-2.mjs", most: 1000 },
];

/** Microseconds of the server for each call. */
async function cost({ file }: Server, count: number, times: Times): Promise<number> {
  const program = new Program(`programs/http/${file}`, { REVISION: revision });
  try {
    const sessions = await Sessions.open(count, await program.said<number>());
    await sessions.warmUp(WARM_UP_CALLS);
    const before = await program.usage();
    const calls = await sessions.call(times.measured);
    const after = await program.usage();
    sessions.end();
    return (after.cpu - before.cpu) / calls;
  } finally {
    await program.end();
  }
}

function growing(server: Server, sizes: readonly number[], times: Times): Growing {
  return {
    name: server.name,
    sizes: sizes.filter((size) => size <= server.most),
    measure: (size) => cost(server, size, times),
  };
}

export async function growthOfSessions(
  depth: Depth,
  times: Times,
  rounds: number,
): Promise<SectionResult> {
  const isFull = depth === "full";
  const sizes = isFull ? [fewest, 100, most] : [fewest, most];
  const shown = servers.filter(({ name }) => isFull || name === revision);
  const how: Shown = {
    name: "growth-sessions",
    title: "CPU of the server for each call, by open sessions",
    unit: "µs",
    sizes,
    of: "sessions",
  };
  const promised: Promised = {
    what: "CPU per call with 10,000 sessions, against 1",
    of: ours,
    headline: revision,
    value: (grown, name) => ratioOf(grown, name, most, fewest),
  };
  const contestants = shown.map((server) => growing(server, sizes, times));
  return growthResult(contestants, rounds, how, promised, [
    "The sessions take turns, call by call, on 8 connections, over HTTP with JSON answers. The limit gives out ids of sessions, and keeps nothing.",
    "`sdk 2.4` is left out with 10,000 sessions: it makes a server for each of them.",
  ]);
}
