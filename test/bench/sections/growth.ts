import type { Depth, Section, SectionResult } from "../core/section.js";
import type { Times } from "./growth-grown.js";
import { growthOfMessages } from "./growth-messages.js";
import { growthOfSessions } from "./growth-sessions.js";
import { growthOfTools } from "./growth-tools.js";

const times: Record<Depth, Times> = {
  full: { warmUp: 600, measured: 800 },
  short: { warmUp: 400, measured: 400 },
};

async function run(depth: Depth): Promise<SectionResult> {
  const rounds = depth === "full" ? 3 : 1;
  const parts: SectionResult[] = [];
  for (const part of [growthOfTools, growthOfSessions, growthOfMessages]) {
    parts.push(await part(depth, times[depth], rounds));
  }
  return {
    tables: parts.flatMap(({ tables }) => tables),
    targets: parts.flatMap(({ targets }) => targets),
    plots: parts.flatMap(({ plots }) => plots),
    notes: parts.flatMap(({ notes }) => notes),
  };
}

export const section: Section = {
  id: "growth",
  title: "Growth",
  about:
    "What a call costs as a server grows: with more registered tools, with more open sessions, with longer messages. Cost is CPU time of the server's process, user and system, divided by calls, or by bytes of the text in a request; each size has a process of its own, warmed up before. Flat lines are what is wanted: a call should not cost more because of what it has nothing to do with, and a byte the same in a long message as in a short one.",
  run,
};
