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
  const connecting = client.connect();
  connecting.catch(error);
  return {
    subscribe: async (channel) => {
      await connecting;
      return client.subscribe(channel, (text) => message(channel, text));
    },
    unsubscribe: async (channel) => {
      await connecting;
      return client.unsubscribe(channel);
    },
    close: () => {
      // One that never was connected cannot be closed.
      connecting.then(() => client.destroy()).catch(() => {});
    },
  };
}
