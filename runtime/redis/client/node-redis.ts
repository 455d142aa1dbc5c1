import { clientErrors } from "./client-errors.js";
import type { Connection, Subscriber, SubscriberEvents } from "./connection.js";
import type { NodeRedis, NodeRedisCluster, NodeRedisSubscriber } from "./redis-client.js";

export function nodeRedis(client: NodeRedis): Connection {
  return {
    get isReady() {
      return client.isReady;
    },
    send: (args) => client.sendCommand(args),
    subscriber: (events) => subscriberOf(client.duplicate(), events, "ready"),
    onerror: (listener) => clientErrors(client, listener),
  };
}

export function nodeRedisCluster(client: NodeRedisCluster): Connection {
  return {
    get isReady() {
      return client.isOpen;
    },
    send: (args, key) => client.sendCommand(key, false, args),
    subscriber: (events) => subscriberOf(client.duplicate(), events, "node-ready"),
    onerror: (listener) => clientErrors(client, listener),
  };
}

function subscriberOf(
  client: NodeRedisSubscriber,
  { message, ready, error }: SubscriberEvents,
  readyEvent: string,
): Subscriber {
  client.on("error", (problem) => error(problem as Error));
  client.on(readyEvent, () => ready());
  let connecting: Promise<unknown> | undefined;
  const connected = (): Promise<unknown> => {
    // One that could not be opened is tried again by the next that needs it.
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
      // One that never was connected cannot be closed.
      connecting?.then(() => client.destroy()).catch(() => {});
    },
  };
}
