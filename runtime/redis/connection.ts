export interface Connection {
  readonly isReady: boolean;
  /** Sends a command. A cluster selects the server by `key`, the command's first key. */
  send(args: string[], key: string | undefined): Promise<unknown>;
  subscriber(events: SubscriberEvents): Subscriber;
  onerror(listener: (error: Error) => void): () => void;
}

export interface SubscriberEvents {
  message(channel: string, text: string): void;
  /**
   * Called when subscriptions are active again after a reconnection. It may also be called after the first
   * connection.
   */
  ready(): void;
  error(error: Error): void;
}

/** A connection for subscriptions, which automatically subscribes again after a connection loss. */
export interface Subscriber {
  subscribe(channel: string): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  close(): void;
}

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
    "redis(client) needs a client of @redis/client (createClient, createCluster) or of ioredis (Redis, Cluster), " +
      "both of version 5 or later",
  );
}

/**
 * A client that the program created: `createClient` or `createCluster` from `@redis/client` 5 or later, or `Redis` or
 * `Cluster` from `ioredis` 5 or later. It may still be connecting.
 */
export type RedisClient = NodeRedis | NodeRedisCluster | IoRedis;

interface Events {
  on(event: string, listener: (...values: unknown[]) => void): unknown;
  off(event: string, listener: (...values: unknown[]) => void): unknown;
}

/** A subscription connection from `@redis/client`. */
export interface NodeRedisSubscriber extends Events {
  connect(): Promise<unknown>;
  destroy(): void;
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
}

/** The subset of an `@redis/client` client (`createClient()`) that this package uses. */
export interface NodeRedis extends Events {
  readonly isOpen: boolean;
  readonly isReady: boolean;
  sendCommand(args: readonly string[]): Promise<unknown>;
  duplicate(): NodeRedisSubscriber;
}

/** The subset of an `@redis/client` cluster client (`createCluster()`) that this package uses. */
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

/** A subscription connection from `ioredis`. */
export interface IoRedisSubscriber extends Events {
  disconnect(): void;
  subscribe(...channels: string[]): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
}

/** The subset of an `ioredis` client (`Redis` or `Cluster`) that this package uses. */
export interface IoRedis extends Events {
  readonly status: string;
  readonly isCluster?: boolean;
  call(command: string, ...args: string[]): Promise<unknown>;
  duplicate(...options: never[]): IoRedisSubscriber;
}

export function nodeRedis(client: NodeRedis): Connection {
  return {
    get isReady() {
      return client.isReady;
    },
    send: (args) => client.sendCommand(args),
    subscriber: (events) => nodeSubscriberOf(client.duplicate(), events, "ready"),
    onerror: (listener) => clientErrors(client, listener),
  };
}

export function nodeRedisCluster(client: NodeRedisCluster): Connection {
  return {
    get isReady() {
      return client.isOpen;
    },
    send: (args, key) => client.sendCommand(key, false, args),
    subscriber: (events) => nodeSubscriberOf(client.duplicate(), events, "node-ready"),
    onerror: (listener) => clientErrors(client, listener),
  };
}

function nodeSubscriberOf(
  client: NodeRedisSubscriber,
  { message, ready, error }: SubscriberEvents,
  readyEvent: string,
): Subscriber {
  client.on("error", (problem) => error(problem as Error));
  client.on(readyEvent, () => ready());
  let connecting: Promise<unknown> | undefined;
  const connected = (): Promise<unknown> => {
    // If the connection could not be opened, the next caller that needs it tries again.
    connecting ??= client.connect().catch((problem: Error) => {
      connecting = undefined;
      throw problem;
    });
    return connecting;
  };
  return {
    subscribe: async (channel) => {
      await connected();
      return client.subscribe(channel, (text) => message(channel, text));
    },
    unsubscribe: async (channel) => {
      await connected();
      return client.unsubscribe(channel);
    },
    close: () => {
      // A connection that was never established cannot be closed.
      connecting?.then(() => client.destroy()).catch(() => {});
    },
  };
}

export function ioRedis(client: IoRedis): Connection {
  return {
    get isReady() {
      // A client in lazy mode connects with its first command.
      return client.status === "ready" || client.status === "wait";
    },
    send: ([command, ...args]) => client.call(command!, ...args),
    subscriber: (events) => ioSubscriberOf(client, events),
    onerror: (listener) => clientErrors(client, listener),
  };
}

/**
 * The options of the subscription connection. The prefix is empty because scripts publish to channels without the
 * client's prefix.
 */
const OWN_OPTIONS = { keyPrefix: "", enableReadyCheck: false, maxRetriesPerRequest: null };

/**
 * The time, in milliseconds, that a cluster client is given to subscribe again at another server. It emits no event
 * when it has done so.
 */
const RESUBSCRIBED = 1000;

function ioSubscriberOf(client: IoRedis, { message, ready, error }: SubscriberEvents): Subscriber {
  const duplicate = client.duplicate as (...options: unknown[]) => IoRedisSubscriber;
  const own = client.isCluster
    ? duplicate.call(client, [], { keyPrefix: "" })
    : duplicate.call(client, OWN_OPTIONS);
  own.on("error", (problem) => error(problem as Error));
  const channels = new Set<string>();
  // The connection is ready before it has subscribed again. The reply to a further subscription shows that it has.
  own.on("ready", () => {
    if (channels.size > 0) own.subscribe(...channels).then(ready, error);
  });
  // After a cluster client has subscribed again at another server, it emits no event.
  own.on("-node", () => void setTimeout(ready, RESUBSCRIBED));
  own.on("message", (channel, text) => message(channel as string, text as string));
  return {
    subscribe: async (channel) => {
      await own.subscribe(channel);
      channels.add(channel);
    },
    unsubscribe: (channel) => {
      channels.delete(channel);
      return own.unsubscribe(channel);
    },
    close: () => own.disconnect(),
  };
}

export function clientErrors(
  client: Pick<RedisClient, "on" | "off">,
  listener: (error: Error) => void,
): () => void {
  const onError = (error: unknown): void => listener(error as Error);
  client.on("error", onError);
  return () => void client.off("error", onError);
}
