import type { Launch } from "../core/program.js";
import { interleave, type Rounds } from "../core/rounds.js";
import { type Effort, type Section, type SectionResult, tableOf } from "../core/section.js";
import type { Call } from "../drivers/http/client.js";
import { costOfServer, type Server } from "../drivers/http/load.js";
import { type Kind, kinds, revisionOf } from "../drivers/stdio/conversation.js";
import { conditionsOf, moved, pinned } from "../drivers/stdio/servers.js";

const tools = { JSON: "echo", SSE: "tell" } as const;
type Answers = keyof typeof tools;

async function run(effort: Effort): Promise<SectionResult> {
  const seen = new Map<string, Rounds>();
  for (const answers of ["JSON", "SSE"] as const) {
    for (const kind of kinds) {
      const contestants = serversOf(kind, answers).map((server) => ({
        name: server.name,
        measure: () => costOfServer(server, effort),
      }));
      seen.set(`${kind}, ${answers}`, await interleave(contestants, effort.rounds));
    }
  }
  const head = { id: "http", title: "CPU of the server per call", unit: "µs" } as const;
  return {
    tables: [tableOf({ ...head, baseline: "universal" }, seen, "cpu")],
    notes: [
      "The limit is a `node:http` server that reads the body, parses, looks up, serialises and writes. It checks neither messages nor header fields nor arguments, and knows no sessions.",
      "All others check arguments, `Host` and `Origin` as they do by default or as their documentation advises; each round proves that wrong arguments are refused.",
      "With SSE, the tool reports progress before it answers, so that each answer is a stream of two events. In sessions ours also keeps events for clients that lose their connection, which no peer does unless told to.",
      "Both SDKs have a server and a transport for each session; for stateless requests `createMcpHandler` of `sdk 2.4` makes a server for each. They are on `node:http`, without Express.",
      "`tmcp` answers with SSE only and is on `@hono/node-server`; `mcp-lite` is on Hono and speaks 2025-06-18 at most.",
    ],
  };
}

function serversOf(kind: Kind, answers: Answers): readonly Server[] {
  const revision = revisionOf[kind];
  const tool = tools[answers];
  const env = { REVISION: revision, ...(answers === "SSE" && { ANSWERS: "streams" }) };
  const call: Call = { revision, tool };
  const server = (name: string, file: string, nodeArgs: readonly string[] = []): Server => {
    const launch: Launch = [`http/${file}.mjs`, env, nodeArgs];
    return { name, launch, call };
  };
  const isSession = kind === "session";
  return [
    { ...server("limit", "limit"), isUnchecked: true },
    server(pinned, "pinned", conditionsOf(kind)),
    server("universal", "universal"),
    server(moved, "moved"),
    ...(isSession ? [server("sdk 1.32", "sdk-1")] : []),
    server("sdk 2.4", "sdk-2"),
    ...(answers === "SSE" ? [server("tmcp 1.20", "tmcp")] : []),
    ...(isSession ? [{ ...server("mcp-lite 0.10", "mcp-lite"), call: ofLite(tool) }] : []),
  ];
}

/** Builds a call for `mcp-lite`, which sends streams to every client that accepts them. */
function ofLite(tool: Call["tool"]): Call {
  const call: Call = { revision: "2025-06-18", tool };
  return tool === "tell" ? call : { ...call, accept: "application/json" };
}

export const section: Section = {
  id: "http",
  title: "HTTP",
  about:
    "Microseconds that the process of a server spends on a small call: user and system time of all its threads. 32 clients, each with a connection that is kept open and one request at a time, write raw HTTP/1.1, read as little of the answers as they have to, and check some in full.",
  run,
};
