import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { createInterface } from "node:readline";
import { createClient } from "@redis/client";
import { end, own } from "../../core/program.js";

/** The work that a Redis server has done since its start. */
export interface Work {
  /** User and system time, in microseconds. */
  readonly cpu: number;
  /**
   * The number of commands. A script and each command in it are counted separately; the commands that read these
   * figures are not counted.
   */
  readonly commands: number;
  readonly scripts: number;
}

export const hasRedis = (): boolean => spawnSync("redis-server", ["--version"]).status === 0;

/** A `redis-server` on a free port that stores nothing on disk. */
export class Redis {
  readonly url: string;
  readonly #client: ReturnType<typeof createClient>;

  private constructor(url: string) {
    this.url = url;
    this.#client = createClient({ url });
  }

  static async use<T>(work: (redis: Redis) => Promise<T>): Promise<T> {
    const port = await freePort();
    const options = ["--port", String(port), "--bind", "127.0.0.1", "--save", ""];
    const child = own(spawn("redis-server", options, { stdio: ["ignore", "pipe", "inherit"] }));
    for await (const line of createInterface(child.stdout)) {
      if (line.includes("Ready to accept connections")) break;
    }
    child.stdout.resume();
    const redis = new Redis(`redis://127.0.0.1:${port}`);
    try {
      await redis.#client.connect();
      return await work(redis);
    } finally {
      redis.#client.destroy();
      await end(child);
    }
  }

  async empty(): Promise<void> {
    await this.#client.flushAll();
  }

  async work(): Promise<Work> {
    const cpu = await this.#client.info("cpu");
    const seconds = ["user", "sys"].map((kind) =>
      Number(new RegExp(`used_cpu_${kind}:([\\d.]+)`).exec(cpu)![1]),
    );
    const stats = await this.#client.info("commandstats");
    let commands = 0;
    let scripts = 0;
    for (const [, name, count] of stats.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)) {
      if (name === "info") continue;
      commands += Number(count);
      if (name!.startsWith("eval")) scripts += Number(count);
    }
    return { cpu: (seconds[0]! + seconds[1]!) * 1e6, commands, scripts };
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
