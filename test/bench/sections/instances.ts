import { type Launch, Program } from "../core/program.js";
import { interleave, type Rounds, valuesOf } from "../core/rounds.js";
import {
  type Effort,
  type Section,
  type SectionResult,
  type Table,
  tableOf,
} from "../core/section.js";
import { Sessions } from "../drivers/growth/sessions.js";
import { Caller, type Exchange, exchanges } from "../drivers/instances/caller.js";
import { hasRedis, Redis } from "../drivers/instances/redis.js";

const CLIENTS = 32;
/**
 * The divisor of a warm-up's requests. Each instance gets only a fraction of them, because calls with Redis take
 * longer.
 */
const WARM_UP_PART = 3;

const memory = "sessions in memory";
const shared = "sessions on Redis";

/** The cost of one call, by the process that bears it. */
interface Cost {
  readonly [figure: string]: number;
  /** Microseconds of all instances together, and those of Redis. */
  readonly cpu: number;
  readonly redis: number;
  readonly commands: number;
  readonly scripts: number;
}

type Work = (milliseconds: number, atLeast: number) => Promise<number>;

const launchOf = (name: string, redis: Redis): Launch => [
  "http/shared.mjs",
  name === shared ? { REDIS: redis.url } : {},
];

/** Warms up, then measures what the calls made by `work` cost these programs and Redis. */
async function costOf(
  programs: readonly Program[],
  redis: Redis,
  effort: Effort,
  work: Work,
): Promise<Cost> {
  await work(effort.warmUp, (programs.length * effort.warmUpRequests) / WARM_UP_PART);
  const spent = async () => {
    const usages = [];
    for (const program of programs) usages.push(await program.usage());
    return usages.reduce((sum, { cpu }) => sum + cpu, 0);
  };
  const cpu = await spent();
  const before = await redis.work();
  const calls = await work(effort.measured, 0);
  const after = await redis.work();
  return {
    cpu: ((await spent()) - cpu) / calls,
    redis: (after.cpu - before.cpu) / calls,
    commands: (after.commands - before.commands) / calls,
    scripts: (after.scripts - before.scripts) / calls,
  };
}

/** Measures the cost of one kind of exchange at one instance. */
async function costOfExchange(name: string, exchange: Exchange, redis: Redis, effort: Effort) {
  await redis.empty();
  return Program.use(launchOf(name, redis), async (program) => {
    const port = await program.said<number>();
    const opening = Array.from({ length: CLIENTS }, () => Caller.open(exchange, port));
    const callers = await Promise.all(opening);
    const work: Work = async (milliseconds, atLeast) => {
      const end = performance.now() + milliseconds;
      let calls = 0;
      const repeat = async (caller: Caller): Promise<void> => {
        do {
          await caller.once();
          calls += 1;
        } while (performance.now() < end || calls < atLeast);
      };
      await Promise.all(callers.map(repeat));
      return calls;
    };
    const cost = await costOf([program], redis, effort, work);
    for (const caller of callers) caller.end();
    return cost;
  });
}

interface Size {
  readonly instances: number;
  readonly sessions: number;
}

/** Measures the cost of a plain call. The open sessions take turns, and so do the instances behind the proxy. */
async function costOfSize(name: string, size: Size, redis: Redis, effort: Effort) {
  await redis.empty();
  const launches = Array.from({ length: size.instances }, () => launchOf(name, redis));
  return useAll(launches, async (programs, ports) => {
    const env = { TARGETS: ports.join(" "), ...(name === memory && { STICKY: "yes" }) };
    const proxy: Launch = ["http/round-robin.mjs", env];
    return Program.use(proxy, async (running) => {
      const sessions = await Sessions.on(await running.said<number>());
      await sessions.open(effort.isSmoke ? Math.min(size.sessions, 3) : size.sessions);
      const cost = await costOf(programs, redis, effort, (time, atLeast) =>
        sessions.call(time, atLeast),
      );
      sessions.end();
      return cost;
    });
  });
}

/** Runs `work` with programs that report their ports. */
async function useAll<T>(
  [launch, ...rest]: readonly Launch[],
  work: (programs: readonly Program[], ports: readonly number[]) => Promise<T>,
): Promise<T> {
  if (launch === undefined) return work([], []);
  return Program.use(launch, async (program) => {
    const port = await program.said<number>();
    return useAll(rest, (programs, ports) => work([program, ...programs], [port, ...ports]));
  });
}

/** The sizes by title. In a smoke run, a title that promises many sessions stands for a few. */
const sizes: ReadonlyMap<string, Size> = new Map([
  ["1 × 1", { instances: 1, sessions: 1 }],
  ["1 × 100", { instances: 1, sessions: 100 }],
  ["1 × 1,000", { instances: 1, sessions: 1000 }],
  ["2 × 100", { instances: 2, sessions: 100 }],
  ["4 × 100", { instances: 4, sessions: 100 }],
]);

async function measureSizes(redis: Redis, effort: Effort) {
  const seen = new Map<string, Rounds>();
  for (const [title, size] of sizes) {
    const contestants = [memory, shared].map((name) => ({
      name,
      measure: () => costOfSize(name, size, redis, effort),
    }));
    seen.set(title, await interleave(contestants, effort.rounds));
  }
  return seen;
}

/** Creates the table of Redis's commands and CPU. Sessions in memory use neither. */
function tableOfRedis(id: string, title: string, cases: ReadonlyMap<string, Rounds>): Table {
  const all = [...cases.values()];
  const row = (contestant: string, figure: string) => ({
    contestant,
    cells: all.map((rounds) => valuesOf(rounds, shared, figure)),
  });
  const rows = [
    row("scripts", "scripts"),
    row("commands, with those in scripts", "commands"),
    row("CPU in µs", "redis"),
  ];
  return { id, title, unit: "count", cases: [...cases.keys()], rows };
}

async function measureExchanges(redis: Redis, effort: Effort) {
  const seen = new Map<string, Rounds>();
  for (const exchange of Object.keys(exchanges) as Exchange[]) {
    const contestants = [memory, shared].map((name) => ({
      name,
      measure: () => costOfExchange(name, exchange, redis, effort),
    }));
    seen.set(exchange, await interleave(contestants, effort.rounds));
  }
  return seen;
}

async function measure(redis: Redis, effort: Effort): Promise<SectionResult> {
  const seen = await measureExchanges(redis, effort);
  const grown = await measureSizes(redis, effort);
  const head = { id: "instances", title: "CPU of one server per call", unit: "µs" } as const;
  const ofSizes = {
    id: "instances-growth",
    title: "CPU of all instances per plain answer, instances × open sessions",
    unit: "µs",
  } as const;
  return {
    tables: [
      tableOf({ ...head, baseline: memory }, seen, "cpu"),
      tableOfRedis("instances-redis", "What Redis does per call", seen),
      tableOf({ ...ofSizes, baseline: memory }, grown, "cpu"),
      tableOfRedis(
        "instances-redis-growth",
        "What Redis does per plain answer, instances × open sessions",
        grown,
      ),
    ],
    notes: [
      "`universal` with the stores of `@mcp-codegen/redis` on `@redis/client`, and a `redis-server` on the same machine that keeps nothing on disk. One figure of a call has its own processes; Redis is emptied before.",
      "A stream has one progress notification and the answer. A question is `roots/list`, whose answer is a request of its own; opening and ending a session are three requests.",
      "Instances: a proxy gives each request to the next one, whatever its session. With sessions in memory, the proxy gives the requests of a session to the instance that opened it. 8 connections, one call at a time on each. More instances share the same load and the same cores: compare within a column. Why a call then costs more with sessions in memory, too, is not measured.",
    ],
  };
}

async function run(effort: Effort): Promise<SectionResult> {
  if (hasRedis()) return Redis.use((redis) => measure(redis, effort));
  const reason = "Not measured: `redis-server` is not installed.";
  console.error(reason);
  return { tables: [], notes: [reason] };
}

export const section: Section = {
  id: "instances",
  title: "Several instances",
  about:
    "What a call costs more when its session is on Redis, so that any instance can serve it: CPU of the server, and commands and CPU of Redis. Everything stands beside the same server with sessions in memory.",
  run,
};
