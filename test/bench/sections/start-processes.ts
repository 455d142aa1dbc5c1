import { interleave } from "../core/rounds.js";
import type { Depth, Seen, Table } from "../core/section.js";
import { coldStart, type Starter } from "../drivers/stdio/cold-start.js";
import { type Era, newest } from "../drivers/stdio/conversation.js";
import { idleMemory } from "../drivers/stdio/idle-memory.js";

export const eras: readonly Era[] = ["handshake", "stateless"];
export type ByEra<Figures extends string> = ReadonlyMap<
  Era,
  ReadonlyMap<string, Record<Figures, Seen>>
>;

function starters(era: Era, depth: Depth): readonly Starter[] {
  const peers = [
    { name: "sdk 1.32", file: "stdio/sdk-1.mjs", era },
    { name: "sdk 2.4", file: "stdio/sdk-2.mjs", era },
    { name: "tmcp 1.20", file: "stdio/tmcp.mjs", era },
  ];
  return [
    { name: "limit", file: "stdio/limit.mjs", era },
    { name: newest[era], file: `start/${newest[era]}.mjs`, era },
    { name: "universal", file: "stdio/universal.mjs", era },
    ...peers.filter(({ name }) => (name === "sdk 1.32" ? era === "handshake" : true)),
  ].filter(({ name }) => depth === "full" || (name !== "sdk 1.32" && name !== "tmcp 1.20"));
}

/** The first start of each fills the caches of the file system, and does not count. */
export async function measureStarts(depth: Depth): Promise<ByEra<"time">> {
  const seen = new Map<Era, ReadonlyMap<string, Record<"time", Seen>>>();
  for (const era of depth === "full" ? eras : eras.slice(0, 1)) {
    const all = starters(era, depth);
    for (const starter of all) await coldStart(starter);
    const contestants = all.map((starter) => ({
      name: starter.name,
      measure: async () => ({ time: await coldStart(starter) }),
    }));
    seen.set(era, await interleave(contestants, depth === "full" ? 30 : 7));
  }
  return seen;
}

export async function measureIdle(depth: Depth): Promise<ByEra<"rss" | "heap">> {
  const seen = new Map<Era, ReadonlyMap<string, Record<"rss" | "heap", Seen>>>();
  for (const era of depth === "full" ? eras : eras.slice(0, 1)) {
    const contestants = starters(era, depth).map((starter) => ({
      name: starter.name,
      measure: () => idleMemory(starter),
    }));
    seen.set(era, await interleave(contestants, depth === "full" ? 3 : 1));
  }
  return seen;
}

export function startTable(starts: ByEra<"time">): Table {
  return {
    title: "Cold start, from spawn to the first answer",
    unit: "ms",
    cases: [...starts.keys()].map((era) => `${era} (${newest[era]})`),
    rows: namesOf(starts).map((contestant) => ({
      contestant,
      cells: [...starts.values()].map((seen) => seen.get(contestant)?.time),
    })),
    baseline: "limit",
  };
}

export function idleTable(idle: ByEra<"rss" | "heap">): Table {
  return {
    title: "Memory of an idle stdio server, after its first answer",
    unit: "MiB",
    cases: [...idle.keys()].flatMap((era) => [`RSS, ${era}`, `heap, ${era}`]),
    rows: namesOf(idle).map((contestant) => ({
      contestant,
      cells: [...idle.values()].flatMap((seen) => {
        const figures = seen.get(contestant);
        return [figures?.rss, figures?.heap];
      }),
    })),
    baseline: "limit",
  };
}

function namesOf(measured: ByEra<never>): readonly string[] {
  return [...new Set([...measured.values()].flatMap((seen) => [...seen.keys()]))];
}
