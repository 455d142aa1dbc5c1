import { interleave } from "../core/rounds.js";
import type { Depth, Seen, Table } from "../core/section.js";
import { type Era, newest } from "../drivers/stdio/conversation.js";
import { extents } from "../drivers/stdio/extents.js";
import { type Client, type ClientFigures, measureClient } from "../drivers/stdio/measure-client.js";
import { eras } from "./stdio-servers.js";

export type MeasuredClients = ReadonlyMap<
  Era,
  ReadonlyMap<string, Record<keyof ClientFigures, Seen>>
>;

function contestants(era: Era, depth: Depth): readonly Client[] {
  return [
    { name: "limit", file: "limit.mjs" },
    { name: newest[era], file: "pinned.mjs" },
    { name: "universal", file: "universal.mjs" },
    ...(depth === "full" && era === "handshake" ? [{ name: "sdk 1.32", file: "sdk-1.mjs" }] : []),
    { name: "sdk 2.4", file: "sdk-2.mjs" },
  ];
}

export async function measureClients(depth: Depth): Promise<MeasuredClients> {
  const measured = new Map<Era, ReadonlyMap<string, Record<keyof ClientFigures, Seen>>>();
  for (const era of eras) {
    const all = contestants(era, depth).map((client) => ({
      name: client.name,
      measure: async () => ({ ...(await measureClient(client, era, extents[depth])) }),
    }));
    measured.set(era, await interleave(all, depth === "full" ? 4 : 1));
  }
  return measured;
}

export function clientTables(measured: MeasuredClients): readonly Table[] {
  const names = [...new Set([...measured.values()].flatMap((seen) => [...seen.keys()]))];
  const table = (figure: keyof ClientFigures): Pick<Table, "cases" | "rows" | "baseline"> => ({
    cases: [...measured.keys()].map((era) => `${era} (${newest[era]})`),
    rows: names.map((contestant) => ({
      contestant,
      cells: [...measured.values()].map((seen) => seen.get(contestant)?.[figure]),
    })),
    baseline: "limit",
  });
  return [
    { title: "CPU of the client for each small call", unit: "µs", ...table("cpu") },
    { title: "Small calls of the client", unit: "per second", ...table("perSecond") },
  ];
}
