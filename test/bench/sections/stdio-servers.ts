import { interleave } from "../core/rounds.js";
import type { Depth, Seen, Table, Unit } from "../core/section.js";
import { type Case, cases, smallCall } from "../drivers/stdio/cases.js";
import { type Era, eraOf, newest, type Revision } from "../drivers/stdio/conversation.js";
import { extents } from "../drivers/stdio/extents.js";
import { measureServer, type Server, type ServerFigure } from "../drivers/stdio/measure-server.js";

export type Figures = Record<ServerFigure, Seen>;
/** By case, then by contestant. */
export type Measured = ReadonlyMap<Case, ReadonlyMap<string, Figures>>;

export const eras: readonly Era[] = ["handshake", "stateless"];
export const revisions: readonly Revision[] = [
  "2024-11-05",
  "2025-03-26",
  "2025-06-18",
  "2025-11-25",
  "2026-07-28",
];

const peers: Record<Era, readonly (readonly [name: string, file: string])[]> = {
  handshake: [
    ["sdk 1.32", "sdk-1"],
    ["sdk 2.4", "sdk-2"],
    ["tmcp 1.20", "tmcp"],
  ],
  stateless: [
    ["sdk 2.4", "sdk-2"],
    ["tmcp 1.20", "tmcp"],
  ],
};

/** All that are asked in an era; only the small call is asked of the older revisions. */
function contestants(era: Era, depth: Depth, measuredCase: Case): readonly Server[] {
  const revision = newest[era];
  const isAll = depth === "full" && measuredCase === smallCall;
  const pinned = revisions.filter((one) => one === revision || (isAll && eraOf(one) === era));
  const others = peers[era].filter(([name]) => depth === "full" || name === "sdk 2.4");
  return [
    { name: "limit", file: "limit.mjs", env: { ERA: era }, revision, isUnchecked: true },
    ...pinned.map((one) => ({
      name: one,
      file: "pinned.mjs",
      env: { REVISION: one },
      revision: one,
    })),
    { name: "universal", file: "universal.mjs", revision },
    ...others.map(([name, file]) => ({ name, file: `${file}.mjs`, revision })),
  ];
}

export async function measureServers(era: Era, depth: Depth): Promise<Measured> {
  const isFull = depth === "full";
  const measured = new Map<Case, Map<string, Figures>>();
  for (const one of isFull ? cases : cases.filter(({ name }) => !name.startsWith("10 KiB"))) {
    const all = contestants(era, depth, one).map((server) => ({
      name: server.name,
      measure: () => measureServer(server, one, extents[depth]),
    }));
    measured.set(one, await interleave(all, isFull ? (one === smallCall ? 5 : 3) : 1));
  }
  return measured;
}

const shown: readonly (readonly [ServerFigure, title: string, Unit])[] = [
  ["cpu", "CPU of the server for each request", "µs"],
  ["perSecond", "Requests", "per second"],
  ["rss", "Most memory held (RSS)", "MiB"],
];

export function serverTables(era: Era, measured: Measured): readonly Table[] {
  const names = [...new Set([...measured.values()].flatMap((seen) => [...seen.keys()]))];
  return shown.map(([figure, title, unit]) => ({
    title: `${title}, ${era} (${newest[era]})`,
    unit,
    cases: [...measured.keys()].map(({ name }) => name),
    rows: names.map((contestant) => ({
      contestant,
      cells: [...measured.values()].map((seen) => seen.get(contestant)?.[figure]),
    })),
    baseline: "limit",
  }));
}
