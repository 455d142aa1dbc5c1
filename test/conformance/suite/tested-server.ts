import { EverythingServer } from "./everything-server.js";
import type { Leg } from "./leg.js";
import { RedisServer } from "./redis-server.js";
import { roundRobin } from "./round-robin.js";

/** The server that a leg tests: one process, several instances behind a proxy, or a bridge in front of it. */
export interface TestedServer {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startServer({ only, instances, before }: Leg): Promise<TestedServer> {
  if (before !== undefined) return startBridge(before, only);
  return instances === undefined ? EverythingServer.start(only) : startInstances(instances, only);
}

async function startBridge(before: string, only: string | undefined): Promise<TestedServer> {
  const behind = await EverythingServer.start(before);
  const bridge = await EverythingServer.bridge(behind.url, only);
  return {
    url: bridge.url,
    stop: async () => {
      await bridge.stop();
      await behind.stop();
    },
  };
}

async function startInstances(count: number, only: string | undefined): Promise<TestedServer> {
  const redis = await RedisServer.start();
  const starting = Array.from({ length: count }, () => EverythingServer.start(only, redis.url));
  const servers = await Promise.all(starting);
  const proxy = await roundRobin(servers.map(({ url }) => url));
  return {
    url: proxy.url,
    stop: async () => {
      await proxy.close();
      await Promise.all(servers.map((server) => server.stop()));
      await redis.stop();
    },
  };
}
