import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connect, type McpClient, revisions } from "@mcp-codegen/universal";
import { clientTasks } from "@mcp-codegen/universal/tasks";
import { type Program, type Service, startService } from "../core/child.js";
import { freePort } from "../core/free-port.js";
import { interop } from "../core/places.js";
import { Scratch } from "../core/scratch.js";
import { type Case, CASES, exists, type Peer } from "./cases.js";
import type { Middle } from "./middles.js";

/** The time that a case may take, in milliseconds. */
const LIMIT = 8000;
/** The time in which a middle and a server have to start, in milliseconds. */
const START = 40_000;

/** A case that failed, and the reason. */
export interface Failure {
  readonly name: string;
  readonly why: string;
}

/** A middle's result between a client and a server of one revision each. */
export interface PairResult {
  readonly down: string;
  readonly up: string;
  /** The reason why the client cannot connect. */
  readonly refused?: string;
  readonly cases: readonly string[];
  readonly failures: readonly Failure[];
}

/**
 * Runs all cases that exist for a pair of revisions.
 *
 * @param middle - undefined for a direct connection
 */
export async function runPair(
  middle: Middle | undefined,
  down: string,
  up: string,
): Promise<PairResult> {
  const scratch = new Scratch();
  const services: Service[] = [];
  const cases = CASES.filter((one) => exists(one, down, up));
  const names = cases.map(({ name }) => name);
  const tasks = clientTasks();
  let client: McpClient | undefined;
  try {
    const target = await chainOf(middle, up, scratch, services);
    client = await inTime(connectAt(down, target, tasks, middle?.headers), START);
    const peer: Peer = { client, tasks, effects: () => linesOf(effectsIn(scratch)) };
    const failures: Failure[] = [];
    for (const one of cases) failures.push(...(await runCase(one, peer, up)));
    return { down, up, cases: names, failures };
  } catch (error) {
    return { down, up, refused: lineOf(error), cases: names, failures: [] };
  } finally {
    await Promise.race([client?.close().catch(() => {}), delay(2000)]);
    for (const service of services.toReversed()) await service.end();
    scratch.end();
  }
}

type Target = Parameters<typeof connect>[0];

/** Starts the server and the middle, unless the client or the middle does. */
async function chainOf(
  middle: Middle | undefined,
  up: string,
  scratch: Scratch,
  services: Service[],
): Promise<Target> {
  const noted = effectsIn(scratch);
  const program = join(interop, "programs/middle-upstream.mjs");
  const start = async (what: Program, port: number) =>
    void services.push(await startService(what, scratch, port));
  const stdio = ({ file, args, env: own }: Program) => ({
    command: file,
    args: [...args],
    env: scratch.environment(own),
    stderr: "ignore" as const,
  });
  const command = [process.execPath, program, up, noted, "stdio"];
  const behind = { file: process.execPath, args: command.slice(1) };
  if (middle === undefined) return stdio(behind);
  const backPort = await freePort();
  if (middle.behind !== "stdio") {
    await start(
      { file: process.execPath, args: [program, up, noted, "http", String(backPort)] },
      backPort,
    );
  }
  const port = await freePort();
  const url = `http://localhost:${backPort}${up === "2024-11-05" ? "/sse" : "/mcp"}`;
  const own = middle.program({ port, url, command });
  if (middle.front === "stdio") return stdio(own);
  await start(own, port);
  return `http://127.0.0.1:${port}/mcp`;
}

function connectAt(
  id: string,
  target: Target,
  tasks: ReturnType<typeof clientTasks>,
  headers: Readonly<Record<string, string>> | undefined,
): Promise<McpClient> {
  return connect(target, {
    revisions: revisions.filter((one) => one.id === id),
    eras: false,
    cache: false,
    timeout: START,
    ...(headers && { headers }),
    onerror: () => {},
    ...(id >= "2025-11-25" && { extensions: [tasks] }),
    sampling: { tools: true },
    onElicit: () => ({ action: "accept", content: { code: "42" } }) as never,
    onSample: () => ({
      role: "assistant",
      content: { type: "text", text: "Paris" },
      model: "a model",
    }),
    roots: [{ uri: "file:///work" }],
  });
}

async function runCase(one: Case, peer: Peer, up: string): Promise<Failure[]> {
  const { name, tool, questions = 0 } = one;
  const runs = () => peer.effects().filter((line) => line === tool).length;
  const before = runs();
  try {
    await inTime(one.run(peer), LIMIT);
    const expected = up === "2026-07-28" ? 1 + questions : 1;
    const done = runs() - before;
    if (tool === undefined || done === expected) return [];
    return [{ name, why: `the handler ran ${done} times, directly ${expected}` }];
  } catch (error) {
    return [{ name, why: lineOf(error) }];
  }
}

async function inTime<Value>(promise: Promise<Value>, limit: number): Promise<Value> {
  const stop = new AbortController();
  const late = delay(limit, undefined, { signal: stop.signal }).then(() => {
    throw new Error("nothing arrived in time");
  });
  return Promise.race([promise, late]).finally(() => stop.abort());
}

const effectsIn = (scratch: Scratch): string => join(scratch.work, "effects");

function linesOf(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
}

/** Returns an error's first line or, for an assertion, what was received instead. */
function lineOf(error: unknown): string {
  const { actual, code, message } = error as Error & { actual?: unknown; code?: unknown };
  if (code === "ERR_ASSERTION") return `received ${JSON.stringify(actual)}`.slice(0, 160);
  return (message || String(error)).split("\n")[0]!.slice(0, 160);
}
