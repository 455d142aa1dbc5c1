import { setTimeout } from "node:timers/promises";
import { Program } from "../core/program.js";
import { interleave } from "../core/rounds.js";
import type { Depth, Seen, Table } from "../core/section.js";

const REVISION = "2025-11-25";
/** Those before are not counted, so that what is made once is not. */
const sizes = {
  full: { before: 200, counted: 1000 },
  short: { before: 100, counted: 400 },
} as const;
const AT_ONCE = 8;
const SETTLING = 200;

const servers = [
  [REVISION, "pinned"],
  ["universal", "universal"],
  ["sdk 1.32", "sdk-1"],
  ["sdk 2.4", "sdk-2"],
] as const;

type Figures = Record<"heap" | "rss", number>;

/** KiB for each session that was opened and is idle. */
export function measureSessions(depth: Depth): Promise<Map<string, Record<keyof Figures, Seen>>> {
  const shown = servers.filter(([name]) => depth === "full" || name !== "sdk 1.32");
  const contestants = shown.map(([name, file]) => ({
    name,
    measure: () => perSession(name, file, depth),
  }));
  return interleave(contestants, depth === "full" ? 3 : 1);
}

async function perSession(name: string, file: string, depth: Depth): Promise<Figures> {
  const { before: earlier, counted } = sizes[depth];
  const program = new Program(`programs/http/${file}.mjs`, { REVISION }, ["--expose-gc"]);
  try {
    const url = `http://127.0.0.1:${await program.said<number>()}/mcp`;
    await open(url, earlier);
    const before = await settled(program);
    await open(url, counted);
    const after = await settled(program);
    const each = (now: number, then: number): number => (now - then) / counted / 1024;
    return { heap: each(after.heap, before.heap), rss: each(after.rss, before.rss) };
  } catch (cause) {
    throw new Error(`Sessions of ${name}: ${(cause as Error).message}`, { cause });
  } finally {
    await program.end();
  }
}

async function settled(program: Program) {
  await program.usage();
  await setTimeout(SETTLING);
  return program.usage();
}

async function open(url: string, sessions: number): Promise<void> {
  let left = sessions;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await openOne(url);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function openOne(url: string): Promise<void> {
  const clientInfo = { name: "driver", version: "1.0.0" };
  const params = { protocolVersion: REVISION, capabilities: {}, clientInfo };
  const answer = await post(url, { id: 1, method: "initialize", params });
  const session = answer.headers.get("mcp-session-id");
  if (!answer.ok || session === null) throw new Error(`no session: ${answer.status}`);
  const headers = { "mcp-session-id": session, "mcp-protocol-version": REVISION };
  const { ok, status } = await post(url, { method: "notifications/initialized" }, headers);
  if (!ok) throw new Error(`notifications/initialized: ${status}`);
}

async function post(url: string, message: object, headers = {}): Promise<Response> {
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
  });
  await answer.arrayBuffer();
  return answer;
}

export function sessionTable(measured: Map<string, Record<keyof Figures, Seen>>): Table {
  return {
    title: `Memory for each idle session over HTTP, ${REVISION}`,
    unit: "KiB",
    cases: ["heap", "RSS"],
    rows: [...measured].map(([contestant, { heap, rss }]) => ({ contestant, cells: [heap, rss] })),
    baseline: REVISION,
  };
}
