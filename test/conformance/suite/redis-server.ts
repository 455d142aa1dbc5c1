import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { createInterface } from "node:readline";

/** True if the program `redis-server` is installed. */
export function hasRedis(): boolean {
  return spawnSync("redis-server", ["--version"]).status === 0;
}

/** A dedicated Redis server on a free port that stores nothing on disk. */
export class RedisServer {
  readonly url: string;
  readonly #process: ChildProcess;

  private constructor(url: string, process: ChildProcess) {
    this.url = url;
    this.#process = process;
  }

  static async start(): Promise<RedisServer> {
    const port = await freePort();
    const options = ["--port", String(port), "--bind", "127.0.0.1", "--save", ""];
    const child = spawn("redis-server", options, { stdio: ["ignore", "pipe", "inherit"] });
    for await (const line of createInterface(child.stdout)) {
      if (line.includes("Ready to accept connections")) {
        child.stdout.resume();
        return new RedisServer(`redis://127.0.0.1:${port}`, child);
      }
    }
    throw new Error("redis-server ended before it was ready");
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const end = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await end;
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
