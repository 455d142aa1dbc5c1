import { EverythingServer } from "./everything-server.js";
import type { Leg } from "./leg.js";
import { RedisServer } from "./redis-server.js";
import { roundRobin } from "./round-robin.js";

/** The server that a leg tests: one process, or several instances behind a proxy. */
export interface TestedServer {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startServer({ only, instances }: Leg): Promise<TestedServer> {
  return instances === undefined ? EverythingServer.start(only) : startInstances(instances, only);
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
