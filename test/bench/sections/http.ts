import { interleave } from "../core/rounds.js";
import type { Depth, Plot, Section, SectionResult, Seen, Table, Unit } from "../core/section.js";
import { type Figure, type Load, measureServer } from "../drivers/http/load.js";
import { cases, type HttpCase, serversOf } from "./http-cases.js";
import { httpTargets } from "./http-targets.js";

/** By case, then by contestant. */
type Measured = ReadonlyMap<HttpCase, ReadonlyMap<string, Record<Figure, Seen>>>;

const CLIENTS = 32;
const full: Load = {
  clients: CLIENTS,
  warmUp: { milliseconds: 700, calls: 25_000 },
  measured: 900,
};
const short: Load = {
  clients: CLIENTS,
  warmUp: { milliseconds: 400, calls: 10_000 },
  measured: 400,
};

async function measureAll(depth: Depth): Promise<Measured> {
  const isFull = depth === "full";
  const measured = new Map<HttpCase, ReadonlyMap<string, Record<Figure, Seen>>>();
  for (const one of isFull ? cases : cases.filter(({ isShort }) => isShort)) {
    const contestants = serversOf(one, depth).map((server) => ({
      name: server.name,
      measure: () => measureServer(server, isFull ? full : short),
    }));
    measured.set(one, await interleave(contestants, isFull ? 3 : 1));
  }
  return measured;
}

const shown: readonly (readonly [Figure, title: string, Unit])[] = [
  ["cpu", "CPU of the server for each call", "µs"],
  ["perSecond", "Calls", "per second"],
  ["rss", "Most memory held (RSS)", "MiB"],
];

/** In the order in which they come first in a case. */
function tables(measured: Measured): readonly Table[] {
  const names = [...new Set([...measured.values()].flatMap((seen) => [...seen.keys()]))];
  return shown.map(([figure, title, unit]) => ({
    title,
    unit,
    cases: [...measured.keys()].map((one) => one.title),
    rows: names.map((contestant) => ({
      contestant,
      cells: [...measured.values()].map((seen) => seen.get(contestant)?.[figure]),
    })),
    baseline: "limit",
  }));
}

function plot(measured: Measured): Plot {
  return {
    name: "http-call",
    title: "CPU of an HTTP server for each call",
    kind: "bars",
    x: { label: "", scale: "category" },
    y: { label: "µs", scale: "log" },
    series: [...measured]
      .filter(([{ tool, isWeb }]) => tool !== "long" && !isWeb)
      .map(([{ title }, seen]) => ({
        name: title,
        points: [...seen].map(([name, { cpu }]) => [name, cpu.median] as const),
      })),
  };
}

async function run(depth: Depth): Promise<SectionResult> {
  const measured = await measureAll(depth);
  return {
    tables: tables(measured),
    targets: httpTargets((one, contestant) => measured.get(one)?.get(contestant)?.cpu.median),
    plots: [plot(measured)],
    notes: [
      "The limit is a `node:http` server that reads the body, parses, looks up, serialises and writes with `Content-Length`. It checks neither messages nor header fields nor arguments, and has no sessions beyond their names. Where the server is a function of a `Request`, the limit is the same as such a function, and all are on `@hono/node-server`.",
      "All others check arguments, `Host` and `Origin` as they do by default or as their documentation advises; that wrong arguments are refused is part of each round.",
      "In the cases with SSE, the tool tells of its progress before it answers, so that each answer is a stream of two events. Ours also keeps events for clients that lose their connection, which no peer does unless told to; `keeping nothing` is without that.",
      "`sdk 1.32` and `sdk 2.4` have a server and a transport for each session. Without sessions, both are made for each request, as documented; at 2026-07-28, `createMcpHandler` makes a server for each request. They are on `node:http`, without Express.",
      "`tmcp` answers with SSE only. Its documented adapter for Node is one of many; here it is on `@hono/node-server`. `mcp-lite` streams to all who accept streams, so for JSON it is asked for that alone; it is on Hono, and speaks 2025-06-18 at most. Neither it nor `sdk 1.32` has 2026-07-28.",
      "Memory is the most that the process has held, with 32 clients.",
    ],
  };
}

export const section: Section = {
  id: "http",
  title: "HTTP",
  about:
    "32 clients, each with a connection that is kept open and one request at a time, call a tool over and over. They write raw HTTP/1.1 with ids that differ, read as little of the answers as they have to, and check some in full. The main figure is what the server's process spends on a call: user and system time of all its threads, over 0.7 s after a warm-up of 15,000 calls or 2 s. A fresh process per contestant and round. Small answers, unless 10 KiB are named.",
  run,
};
