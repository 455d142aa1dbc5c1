import { within } from "../../ground/index.js";
import type { Exchange } from "./requests/exchange.js";

/**
 * The phase of a handler. `open`; `leaving`: it serves as before, but its health checks fail, so that load balancers
 * stop sending new clients; `draining`: it finishes the requests in progress and refuses others with 503; `closed`.
 */
export type HandlerState = "open" | "leaving" | "draining" | "closed";

/** The readiness of a handler, for load balancers. */
export interface HandlerHealth {
  readonly state: HandlerState;
  /** True if requests should be sent here: the handler is open, and every store that it needs answers. */
  readonly isReady: boolean;
  /** Maps the name of each store that did not answer in time to the reason. */
  readonly away: Readonly<Record<string, Error>>;
}

/**
 * Maps the name of each dependency to a check: a function that throws or rejects if the dependency is not available.
 */
export type HealthChecks = Readonly<Record<string, () => unknown>>;

const PHASES: readonly HandlerState[] = ["open", "leaving", "draining", "closed"];

export function latestState(states: readonly HandlerState[]): HandlerState {
  return PHASES[Math.max(0, ...states.map((state) => PHASES.indexOf(state)))]!;
}

export function healthOf(parts: readonly HandlerHealth[]): HandlerHealth {
  return {
    state: latestState(parts.map(({ state }) => state)),
    isReady: parts.every(({ isReady }) => isReady),
    away: Object.assign({}, ...parts.map(({ away }) => away)),
  };
}

/**
 * Runs all checks at once and returns the reasons for failures by name. Never rejects: a check that takes longer than
 * the given time counts as failed.
 */
export async function failedChecks(
  checks: HealthChecks,
  milliseconds: number,
): Promise<Readonly<Record<string, Error>>> {
  const late = new Error(`did not finish within ${milliseconds} ms`);
  const reasons = Object.entries(checks).map(
    async ([name, check]) => [name, await within(milliseconds, whyFailed(check), late)] as const,
  );
  const failed = (await Promise.all(reasons)).filter(([, reason]) => reason);
  return Object.fromEntries(failed) as Record<string, Error>;
}

async function whyFailed(check: () => unknown): Promise<Error | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** The number of requests that were refused for one reason before they reached a handler. */
export interface RefusalCount {
  /** The HTTP status of the refusals. */
  readonly status: number;
  /**
   * The limit or cause, which distinguishes refusals that share a status: `sessions`, `requests`, `sender`,
   * `subscriptions`, `closing`, `authentication`, `store`.
   */
  readonly reason?: string | undefined;
  /** The number of refusals since the handler was created. */
  readonly count: number;
}

/** The load on an HTTP handler at one moment. Reading it is cheap, and counting adds no cost to messages. */
export interface HandlerCounts {
  /** The number of sessions that are open at this instance. */
  readonly sessions: number;
  /** The number of requests that have not been answered yet. */
  readonly requests: number;
  /** The total size of these requests' bodies, in bytes. `maxBytesUnderWay` limits it. */
  readonly requestBytes: number;
  /** The total size of the bodies that are being read, in bytes. `maxBytesUnderWay` limits it too. */
  readonly readingBytes: number;
  /** The number of event streams that have a connection. */
  readonly streams: number;
  /** The number of subscriptions by clients without a session. */
  readonly subscriptions: number;
  /** The total size of the messages that opened sessions and subscriptions, in bytes. `maxBytesKept` limits it. */
  readonly keptBytes: number;
  /** The number of session messages that are waiting for a stream. `maxQueued` limits them per session. */
  readonly queued: number;
  /**
   * The amount of unread output in bytes, counting only clients for which more than 256 KiB are waiting.
   * `maxUnreadBytes` limits it.
   */
  readonly unreadBytes: number;
  /** The refusals, by status and reason. */
  readonly refusals: readonly RefusalCount[];
}

export const NO_COUNTS: HandlerCounts = {
  sessions: 0,
  requests: 0,
  requestBytes: 0,
  readingBytes: 0,
  streams: 0,
  subscriptions: 0,
  keptBytes: 0,
  queued: 0,
  unreadBytes: 0,
  refusals: [],
};

type Figure = Exclude<keyof HandlerCounts, "refusals">;

export function sumOf(parts: readonly HandlerCounts[]): HandlerCounts {
  const figures = Object.keys(NO_COUNTS).filter((name) => name !== "refusals") as Figure[];
  const sums = figures.map((name) => [name, parts.reduce((sum, part) => sum + part[name], 0)]);
  const refusals = refusalCounter();
  for (const part of parts)
    for (const { status, reason, count } of part.refusals) refusals.count(status, reason, count);
  return { ...NO_COUNTS, ...Object.fromEntries(sums), refusals: refusals.all };
}

export interface Refusals {
  readonly all: readonly RefusalCount[];
  count(status: number, reason?: string, more?: number): void;
}

function refusalCounter(): Refusals {
  const counts = new Map<string, { status: number; reason: string | undefined; count: number }>();
  return {
    get all() {
      return [...counts.values()].map((one) => ({ ...one }));
    },
    count(status, reason, more = 1) {
      const key = `${status} ${reason ?? ""}`;
      const counted = counts.get(key);
      if (counted) counted.count += more;
      else counts.set(key, { status, reason, count: more });
    },
  };
}

/** The state of a handler, from open to closed, and the counts of its refusals. */
export interface HandlerLife {
  state: HandlerState;
  readonly refusals: Refusals;
  enter(exchange: Exchange): void;
  /**
   * True if a request may be served. While the handler drains, it serves only requests that arrived earlier; once it is
   * closed, it serves none.
   */
  accepts(exchange: Exchange): boolean;
  leave(): void;
  health(timeout?: number): Promise<HandlerHealth>;
}

export function handlerLife(checks: HealthChecks = {}): HandlerLife {
  const life: HandlerLife = {
    state: "open",
    refusals: refusalCounter(),
    enter(exchange) {
      exchange.refusals = life.refusals;
      if (life.state === "open") return;
      exchange.endConnection();
      exchange.isLate = life.state !== "leaving";
    },
    accepts: ({ isLate }) => !isLate && life.state !== "closed",
    leave() {
      if (life.state === "open") life.state = "leaving";
    },
    async health(timeout = 1000) {
      const away = await failedChecks(checks, timeout);
      const { state } = life;
      return { state, isReady: state === "open" && Object.keys(away).length === 0, away };
    },
  };
  return life;
}
