import type { Depth, Section, SectionResult, Target } from "../core/section.js";
import { newest } from "../drivers/stdio/conversation.js";
import {
  type ByEra,
  idleTable,
  measureIdle,
  measureStarts,
  startTable,
} from "./start-processes.js";
import { measureSessions, sessionTable } from "./start-sessions.js";

async function run(depth: Depth): Promise<SectionResult> {
  const starts = await measureStarts(depth);
  const idle = await measureIdle(depth);
  const sessions = await measureSessions(depth);
  const perSession = [newest.handshake, "universal"].map((name): Target => ({
    what: `memory for each idle session, ${name}`,
    value: sessions.get(name)!.heap.median,
    bound: "at most",
    limit: 4,
    unit: "KiB",
    isHeadline: name === newest.handshake,
  }));
  return {
    tables: [startTable(starts), idleTable(idle), sessionTable(sessions)],
    targets: [...startTargets(starts), ...perSession],
    plots: [],
    notes: [
      "Starts are plain, without flags of Node or a cache of compiled code. With a handshake the first request is `initialize`, without one it is a small call.",
      "Sessions are opened by `initialize` and `notifications/initialized`, 1,000 after 200 that are not counted (in the short form 400 after 100). `sdk 1.32` and `sdk 2.4` have a server and a transport for each session, as their documentation shows; neither drops idle sessions.",
      "`sdk 1.32` has only revisions with a handshake; `tmcp` and `mcp-lite` are not part of the table of sessions, `mcp-lite` has no stdio transport.",
    ],
  };
}

function startTargets(starts: ByEra<"time">): readonly Target[] {
  return [...starts].flatMap(([era, seen]) => {
    const of = `cold start, ${newest[era]}`;
    const ours = seen.get(newest[era])!.time.median;
    const against = (name: string, what: string, limit: number): Target => ({
      what: `${of}, against ${what}`,
      value: ours / seen.get(name)!.time.median,
      bound: "at most",
      limit,
      unit: "x",
      isHeadline: era === "handshake",
    });
    return [against("limit", "bare Node", 1.15), against("sdk 2.4", "sdk 2.4", 0.5)];
  });
}

export const section: Section = {
  id: "start",
  title: "Start and memory",
  about:
    "The time from the spawn of a stdio server to the end of the line of its first answer, where the request is sent at once; what such a server holds when it has nothing to do; and by how much the heap of an HTTP server grows with each session that is open and idle, after a collection of garbage.",
  run,
};
