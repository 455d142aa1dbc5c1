import { interleave, type Rounds } from "../core/rounds.js";
import { type Effort, type Section, type SectionResult, tableOf } from "../core/section.js";
import { costOfServer, type Server } from "../drivers/http/load.js";
import { type Kind, kinds, revisionOf } from "../drivers/stdio/conversation.js";

/** The number of clients, which is small because bridges start a program for each session. */
const CLIENTS = 8;

/** The HTTP server that calls reach without a bridge. */
const direct = "direct server";

async function run(effort: Effort): Promise<SectionResult> {
  const seen = new Map<string, Rounds>();
  for (const kind of kinds) {
    const contestants = serversOf(kind).map((server) => ({
      name: server.name,
      measure: () => costOfServer(server, effort, CLIENTS),
    }));
    seen.set(kind, await interleave(contestants, effort.rounds));
  }
  const baseline = direct;
  const cpu = { id: "bridges", title: "CPU of a bridge per call", unit: "µs", baseline } as const;
  const memory = {
    id: "bridges-memory",
    title: "Memory of a bridge",
    unit: "MB",
    baseline,
  } as const;
  return {
    tables: [tableOf(cpu, seen, "cpu"), tableOf(memory, seen, "resident")],
    notes: [
      "The limit is a `node:http` server that parses each message, replaces its id, serialises it and writes it, in both directions: it checks nothing, follows nothing and speaks one revision. What it takes beside the direct server, no bridge over Node can do without: a second read and write, to a process.",
      "Bridges stand before a program over stdio on `@mcp-codegen/universal`; the direct server is the same one over HTTP. What the programs behind use is not counted.",
      "In sessions, `@mcp-codegen/bridge`, the limit and `supergateway --stateful` start a program for each of the clients; `@mcp-codegen/bridge` speaks the same revision on both sides; `mcp-proxy --upstreamProtocol auto` starts as many as it needs.",
      "Memory is the resident set after the calls, without a garbage collection.",
    ],
  };
}

function serversOf(kind: Kind): readonly Server[] {
  const revision = revisionOf[kind];
  const server = (name: string, file: string): Server => ({
    name,
    launch: [`http/${file}.mjs`, { REVISION: revision }],
    call: { revision, tool: "echo" },
  });
  return [
    server(direct, "universal"),
    server("limit", "bare-bridge"),
    server("bridge", "bridge"),
    server("mcp-proxy 6.7", "mcp-proxy"),
    ...(kind === "session" ? [server("supergateway 4.0", "supergateway")] : []),
  ];
}

export const section: Section = {
  id: "bridges",
  title: "Bridges",
  about:
    "Microseconds that the process of a bridge spends on a small call, and its memory, beside a server that clients reach directly. Eight clients call over HTTP, as in the section HTTP.",
  run,
};
