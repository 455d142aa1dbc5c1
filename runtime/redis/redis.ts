import type { AnyMiddleware, RateLimits } from "@mcp-codegen/runtime";
import type { SharedStores } from "@mcp-codegen/runtime/http/sharing";
import { RedisBus } from "./bus.js";
import type { RedisClient } from "./connection.js";
import { Engine } from "./engine.js";
import { limiting, redeemer } from "./limits.js";
import { RedisMail } from "./mail.js";
import { RedisSessions } from "./sessions.js";
import { RedisStreams } from "./streams.js";
import { Subscriptions } from "./subscriptions.js";
import { RedisTasks, type RedisTasksOptions } from "./tasks.js";

/** The options of `redis`. Times are in milliseconds. */
export interface RedisOptions {
  /**
   * The prefix of all keys and channels. Servers that share a Redis instance need different prefixes. In a cluster,
   * braces in the prefix keep all data on one server. Default: `mcp:`.
   */
  readonly prefix?: string | undefined;
  /** The time after which an unused session is deleted. Default: 30 minutes. */
  readonly sessionTtl?: number | undefined;
  /** The time for which a finished stream is kept. Default: 5 minutes. */
  readonly eventTtl?: number | undefined;
  /** The maximum number of events to keep per stream. Default: 1000. */
  readonly maxEvents?: number | undefined;
  /** The limits on stored tasks. */
  readonly tasks?: RedisTasksOptions | undefined;
  /** The timeout for a command, which includes reconnecting if the connection was lost. Default: 2000. */
  readonly timeout?: number | undefined;
  /** Called once for each Redis outage. Default: writes one line with `console.error`. */
  readonly onerror?: ((error: Error) => void) | undefined;
}

/** The stores that a server's instances share. */
export interface RedisStores extends SharedStores {
  /** The value for a server's `bus` option. */
  readonly bus: RedisBus;
  /** The value for a server's `rounds.redeem` option. */
  readonly redeem: (id: string, expires: number) => Promise<boolean>;
  /** The value for the `store` option of tasks. */
  readonly tasks: RedisTasks;
  /**
   * Creates server middleware that limits each sender's requests per method, across all instances. Requests are
   * counted in windows of `burst / perSecond` seconds, rounded up. While Redis is unreachable, requests pass.
   */
  readonly limits: (limits: RateLimits) => AnyMiddleware;
  /** Closes the connection for subscriptions, but leaves the client open. */
  close(): void;
}

/**
 * Creates the stores that the instances of a server share, in Redis or Valkey, 6.2 or later.
 *
 * @param client - client of the program; a second connection with the same settings is opened for
 *   subscriptions when it is first needed
 * @throws TypeError if the client is of an unsupported library, or an option is invalid
 *
 * @example
 * ```ts
 * import { createClient } from "@redis/client";
 * import { redis } from "@mcp-codegen/redis";
 *
 * const client = createClient({ url: "redis://localhost" });
 * await client.connect();
 * const stores = redis(client, { prefix: "mcp:notes:" });
 * ```
 */
export function redis(client: RedisClient, options: RedisOptions = {}): RedisStores {
  const { prefix = "mcp:", onerror } = options;
  const { sessionTtl = 30 * 60_000, eventTtl = 5 * 60_000 } = options;
  const { maxEvents = 1000, timeout = 2000 } = options;
  assertWhole({ sessionTtl, eventTtl, maxEvents, timeout });
  const engine = new Engine(client, { prefix, timeout, onerror });
  const subscriptions = new Subscriptions(engine);
  const openTtl = Math.max(sessionTtl, eventTtl);
  return {
    sessions: new RedisSessions(engine, { ttl: sessionTtl, streamTtl: openTtl }),
    streams: new RedisStreams(engine, subscriptions, { ttl: eventTtl, openTtl, maxEvents }),
    mail: new RedisMail(engine, subscriptions, sessionTtl),
    bus: new RedisBus(engine, subscriptions),
    redeem: redeemer(engine),
    tasks: new RedisTasks(engine, options.tasks),
    limits: (limits) => limiting(engine, limits),
    reportsOutages: true,
    close: () => {
      subscriptions.close();
      engine.close();
    },
  };
}

function assertWhole(numbers: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (!Number.isSafeInteger(value) || value <= 0)
      throw new TypeError(`${name} must be a whole number above 0`);
  }
}
