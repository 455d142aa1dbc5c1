import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "../../behaviour/support/bundle.js";
import { RedisServer } from "../../support/redis-server.js";
import { Balancer } from "./balancer.js";

export interface CountingInstances {
  readonly balancer: Balancer;
  readonly redis: RedisServer;
  stop(): Promise<void>;
}

/**
 * Starts three instances of the counting program behind a balancer without stickiness, and a Redis server that they
 * share.
 *
 * @param lease - milliseconds after which an instance counts as gone
 */
export async function startCountingInstances(lease = 15_000): Promise<CountingInstances> {
  const folder = mkdtempSync(join(tmpdir(), "mcp-instances-"));
  const program = join(folder, "instance.mjs");
  await bundle("test/instances/support/counting-program.ts", program);
  const redis = await RedisServer.start();
  const balancer = new Balancer(false, program, redis.url, String(lease));
  const stop = async (): Promise<void> => {
    await balancer.stop();
    await redis.stop();
    rmSync(folder, { recursive: true });
  };
  await balancer.start(3);
  return { balancer, redis, stop };
}
