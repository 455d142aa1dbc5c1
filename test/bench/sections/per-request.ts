import { interleave, type Rounds } from "../core/rounds.js";
import { type Effort, type Section, type SectionResult, tableOf } from "../core/section.js";
import { costOfServer, type Server } from "../drivers/http/load.js";
import { moved } from "../drivers/stdio/servers.js";

const revisions = ["2026-07-28", "2025-11-25"] as const;

async function run(effort: Effort): Promise<SectionResult> {
  const seen = new Map<string, Rounds>();
  for (const revision of revisions) {
    const contestants = serversAt(revision).map((server) => ({
      name: server.name,
      measure: () => costOfServer(server, effort),
    }));
    seen.set(revision, await interleave(contestants, effort.rounds));
  }
  const head = { id: "per-request", title: "CPU of the server per call", unit: "µs" } as const;
  return {
    tables: [tableOf({ ...head, baseline: "sdk 2.4" }, seen, "cpu")],
    notes: [
      "Both are `createMcpHandler` with a function that creates a server with three tools for each request, on `node:http`. No request has a session.",
    ],
  };
}

function serversAt(revision: (typeof revisions)[number]): readonly Server[] {
  const env = { REVISION: revision, SERVERS: "each" };
  const call = { revision, tool: "echo", hasNoSession: true } as const;
  const server = (name: string, file: string): Server => ({
    name,
    launch: [`http/${file}.mjs`, env],
    call,
  });
  return [server(moved, "moved"), server("sdk 2.4", "sdk-2")];
}

export const section: Section = {
  id: "per-request",
  title: "A server for each request",
  about:
    "As in the section before: microseconds that the process of a server spends on a small call.",
  run,
};
