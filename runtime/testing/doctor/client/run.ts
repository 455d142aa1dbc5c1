import type { CheckId, Finding } from "../../checks/index.js";
import type { TapeLine } from "../../tape/index.js";
import { type Ending, pause, type Recorder, until } from "../link/link.js";
import type { ProcessTarget } from "../link/process-link.js";
import { lastWords } from "../server/life.js";
import { findingOf, type Place } from "../visit.js";
import { roleOf } from "../../checks/roles.js";
import { type RunningClient, startClient } from "./client-process.js";
import type { Endpoint } from "./http-endpoint.js";
import {
  createScriptServer,
  type Script,
  type ScriptServer,
  type ServerOf,
  sessionIdOf,
} from "./script-server.js";
import type { Trap } from "./traps.js";
import { type Members, member } from "../../tape/json-value.js";

/** The shortest time without messages after which a client is assumed to be waiting, in milliseconds. */
const QUIET = 200;
/** The longest time without messages after which a client is assumed to be waiting, in milliseconds. */
const LONG_QUIET = 1_000;
/** The maximum number of times without messages for which `settled` waits. */
const MOST_WAITS = 20;
/** The time in which the last HTTP requests of a client that has ended arrive, in milliseconds. */
const IN_FLIGHT = 50;

/** The examination of one client. */
export interface Work {
  readonly target: ProcessTarget;
  readonly recorder: Recorder;
  readonly timeout: number;
  readonly findings: Finding[];
  readonly made: Set<string>;
  /** True to run what can only lead to hints. */
  readonly hints?: boolean;
  readonly trap?: Trap;
  /** The clients that have been examined, and stay until the end: what they still send is judged, too. */
  readonly staying: RunningClient[];
  conversations: number;
  /** The longest time from the client's start to its first message, in milliseconds. */
  slowest: number;
  /** True if the client left before all requests could be sent to it. */
  isCutShort?: boolean;
}

/** One run of the client. */
export interface Run {
  readonly client: RunningClient;
  /**
   * The server of the first conversation that the client opened for more than a probe. Some clients send the probe to a
   * process of its own.
   */
  readonly server: ScriptServer;
  /** The servers of all conversations. A client can open several. */
  readonly servers: readonly ScriptServer[];
  readonly endpoint: Endpoint;
  ending: Ending | undefined;
  endedAt?: number;
  /** True once all requests have been sent to the client. */
  isExamined?: boolean;
  /** The time of the last answer, and the longest time that an answer took, by method, in milliseconds. */
  readonly answered: Map<string, { readonly at: number; readonly took: number }>;
}

/**
 * Waits until a client is waiting for the server. Allows longer pauses if the client was slow to start, because the
 * machine may be busy.
 */
export async function settled({ recorder, slowest }: Work, run: Run): Promise<void> {
  const apart = Math.min(Math.max(QUIET, slowest / 2), LONG_QUIET);
  const count = (): number => {
    const numbers = run.servers.map(({ number }) => number);
    return recorder.lines.filter(({ conversation }) => numbers.includes(conversation!)).length;
  };
  for (let waits = 0; waits < MOST_WAITS; waits++) {
    const before = count();
    await endsOr(run, () => false, apart);
    if (run.ending) return pause(IN_FLIGHT);
    if (count() === before) return;
  }
}

export async function start(
  work: Work,
  script: Script = {},
  endpoint: Endpoint = {},
): Promise<Run> {
  const servers: ScriptServer[] = [];
  const isShared = work.target.command.some((word) => word.includes("{url}"));
  const serverOf: ServerOf = (isNew, session) => {
    const known = servers.find(({ number }) => sessionIdOf(number) === session);
    if (known !== undefined && !isNew) return known;
    const last = servers.at(-1);
    const isUnused = last !== undefined && last.requests.length === 0;
    if (last !== undefined && (isUnused || (isShared && !isNew))) return last;
    const version = endpoint.isLost ? (script.versionAgain ?? script.version) : script.version;
    const own = { ...script, ...(version !== undefined && { version }) };
    const server = createScriptServer(work.recorder, ++work.conversations, own);
    servers.push(server);
    return server;
  };
  const first = serverOf(true);
  const began = performance.now();
  const client = await startClient(work.target, serverOf, endpoint);
  const run: Run = {
    client,
    servers,
    get server() {
      const open = servers.filter(({ isOpen }) => isOpen);
      return open.find(isUsed) ?? open[0] ?? first;
    },
    endpoint,
    ending: undefined,
    answered: new Map(),
  };
  void client.ended.then((ending) => Object.assign(run, { ending, endedAt: performance.now() }));
  void until(() => first.requests.length > 0 || run.ending !== undefined, work.timeout).then(
    () => (work.slowest = Math.max(work.slowest, performance.now() - began)),
  );
  return run;
}

function isUsed({ requests }: ScriptServer): boolean {
  return requests.some(({ method }) => roleOf(method) !== "discover");
}

/** The bounds of the time in which an exiting client still answers a request, in milliseconds. */
const ANSWERS_WITHIN = [500, 1_000] as const;

/**
 * True if a client ended before it could answer a request. A client that exits with code 0 much later could have
 * answered it.
 */
export function hasLeft({ slowest }: Work, { ending, endedAt = 0 }: Run, asked: number): boolean {
  const [least, most] = ANSWERS_WITHIN;
  const isLate = endedAt - asked > Math.min(Math.max(least, slowest / 2), most);
  return ending !== undefined && !(ending.code === 0 && ending.by === "itself" && isLate);
}

/** Checks that the client is still running, or has exited without an error. */
export function isAlive(work: Work, run: Run): boolean {
  const { ending } = run;
  return expect(work, run, "client-ended", ending === undefined || ending.code === 0, {
    received: ending && lastWords(ending),
  });
}

/** Records a check, and a finding if the check fails. Returns `holds`. */
export function expect(
  { findings, made }: Work,
  { server: { number, revision } }: { readonly server: Pick<ScriptServer, "number" | "revision"> },
  id: CheckId,
  holds: boolean,
  place: Place,
): boolean {
  made.add(id);
  const from = { conversation: number, from: "client", revision } as const;
  if (!holds) findings.push(findingOf(id, place, from));
  return holds;
}

/** Returns the lines that the client sent in the first conversation of a run. */
export function linesOf({ recorder }: Work, { server: { number } }: Run): readonly TapeLine[] {
  return recorder.lines.filter(
    ({ conversation, from }) => conversation === number && from === "client",
  );
}

export function lineOf({ recorder }: Work, message: Members | undefined): TapeLine | undefined {
  return message && recorder.lines.find((line) => line.message === message);
}

export function codeOf(message: Members | undefined): unknown {
  return member(message?.error, "code");
}

export async function withRun<Result>(
  work: Work,
  script: Script,
  endpoint: Endpoint,
  examine: (run: Run) => Promise<Result>,
): Promise<Result> {
  const run = await start(work, script, endpoint);
  const result = await examine(run);
  await run.client.close();
  return result;
}

export async function endsOr(run: Run, holds: () => boolean, milliseconds: number): Promise<void> {
  await until(() => run.ending !== undefined || holds(), milliseconds);
}
