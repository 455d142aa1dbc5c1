import { clientErrors } from "./client-errors.js";
import type { Connection, SubscriberEvents, Subscriber } from "./connection.js";
import type { IoRedis, IoRedisSubscriber } from "./redis-client.js";

export function ioRedis(client: IoRedis): Connection {
  return {
    get isReady() {
      // The first command connects a client that waits for it.
      return client.status === "ready" || client.status === "wait";
    },
    send: ([command, ...args]) => client.call(command!, ...args),
    subscriber: (events) => subscriberOf(client, events),
    onerror: (listener) => clientErrors(client, listener),
  };
}

/** Channels that scripts publish to have no prefix of the client's. */
const OWN_OPTIONS = { keyPrefix: "", enableReadyCheck: false, maxRetriesPerRequest: null };

/** Milliseconds after which a cluster has subscribed at another server. */
const RESUBSCRIBED = 1000;

function subscriberOf(client: IoRedis, { message, ready, error }: SubscriberEvents): Subscriber {
  const duplicate = client.duplicate as (...options: unknown[]) => IoRedisSubscriber;
  const own = client.isCluster
    ? duplicate.call(client, [], { keyPrefix: "" })
    : duplicate.call(client, OWN_OPTIONS);
  own.on("error", (problem) => error(problem as Error));
  const channels = new Set<string>();
  // It is ready before it has subscribed again; to subscribe once more tells when it has.
  own.on("ready", () => {
    if (channels.size > 0) own.subscribe(...channels).then(ready, error);
  });
  // A cluster subscribes again at another server, and does not say when.
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
