import { ioRedis } from "./io-redis.js";
import { nodeRedis, nodeRedisCluster } from "./node-redis.js";
import type { IoRedis, NodeRedis, NodeRedisCluster, RedisClient } from "./redis-client.js";

/** Client of either library, in one shape. */
export interface Connection {
  /** True when commands can be sent at once. */
  readonly isReady: boolean;
  /**
   * Sends a command.
   * @param key - its first key, by which clusters find the server
   */
  send(args: string[], key: string | undefined): Promise<unknown>;
  /** Opens a connection of its own for subscriptions. */
  subscriber(events: SubscriberEvents): Subscriber;
  /**
   * Calls a function with every error of the connection.
   * @returns what stops it
   */
  onerror(listener: (error: Error) => void): () => void;
}

export interface SubscriberEvents {
  message(channel: string, text: string): void;
  /** The connection is there, for the first time or again: subscriptions hold from now on. */
  ready(): void;
  error(error: Error): void;
}

/** Connection that subscribes to channels, and does so again when it was lost. */
export interface Subscriber {
  subscribe(channel: string): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  close(): void;
}

/** @throws TypeError for what is no client of a library that is known */
export function connectionOf(client: RedisClient): Connection {
  const members = client as Partial<IoRedis & NodeRedis & NodeRedisCluster & { acquire: unknown }>;
  const isClient =
    typeof client === "object" && client !== null && typeof members.duplicate === "function";
  if (isClient && typeof members.call === "function" && typeof members.status === "string") {
    return ioRedis(client as IoRedis);
  }
  const isNodeRedis = isClient && typeof members.sendCommand === "function";
  if (isNodeRedis && typeof members.isOpen === "boolean" && members.acquire === undefined) {
    return "masters" in client
      ? nodeRedisCluster(client as NodeRedisCluster)
      : nodeRedis(client as NodeRedis);
  }
  throw new TypeError(
    "redis(client) takes a client of @redis/client (createClient, createCluster) or of ioredis (Redis, Cluster), " +
      "both from version 5 on",
  );
}
