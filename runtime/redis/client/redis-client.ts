/**
 * Client of the program itself: one of `@redis/client` 5 or later (`createClient`, `createCluster`) or of `ioredis` 5 or
 * later (`Redis`, `Cluster`), connected or about to be.
 */
export type RedisClient = NodeRedis | NodeRedisCluster | IoRedis;

/** Events of a client that are listened to. */
interface Events {
  on(event: string, listener: (...values: unknown[]) => void): unknown;
  off(event: string, listener: (...values: unknown[]) => void): unknown;
}

/** Connection for subscriptions of `@redis/client`. */
export interface NodeRedisSubscriber extends Events {
  connect(): Promise<unknown>;
  destroy(): void;
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
}

/** `createClient()` of `@redis/client`, as far as it is needed. */
export interface NodeRedis extends Events {
  readonly isOpen: boolean;
  readonly isReady: boolean;
  sendCommand(args: readonly string[]): Promise<unknown>;
  duplicate(): NodeRedisSubscriber;
}

/** `createCluster()` of `@redis/client`, as far as it is needed. */
export interface NodeRedisCluster extends Events {
  readonly isOpen: boolean;
  readonly masters: readonly unknown[];
  sendCommand(
    firstKey: string | undefined,
    isReadonly: boolean | undefined,
    args: string[],
  ): Promise<unknown>;
  duplicate(): NodeRedisSubscriber;
}

/** Connection for subscriptions of `ioredis`. */
export interface IoRedisSubscriber extends Events {
  disconnect(): void;
  subscribe(...channels: string[]): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
}

/** `Redis` or `Cluster` of `ioredis`, as far as it is needed. */
export interface IoRedis extends Events {
  readonly status: string;
  readonly isCluster?: boolean;
  call(command: string, ...args: string[]): Promise<unknown>;
  duplicate(...options: never[]): IoRedisSubscriber;
}
