import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "./free-port.js";

const run = promisify(execFile);

/** The reason why tests with Redis cannot run here; they are never skipped in CI. */
export const noRedis: string | undefined = reasonAgainst();

function reasonAgainst(): string | undefined {
  const { error } = spawnSync("redis-server", ["--version"]);
  if (error === undefined) return undefined;
  if (process.env["CI"] === "true" && process.platform === "linux")
    throw new Error("redis-server is missing: .ci/run installs it");
  return "redis-server is not installed";
}

export interface RedisServerOptions {
  /** True to store everything in a file that is read after a restart. */
  readonly appendOnly?: boolean;
  readonly replicaOf?: RedisServer;
  readonly cluster?: boolean;
}

/** A real `redis-server` on a free port, with its own folder. */
export class RedisServer {
  readonly port: number;
  readonly #folder: string;
  readonly #args: readonly string[];
  #process: ChildProcess | undefined;

  private constructor(port: number, busPort: number, options: RedisServerOptions) {
    const { appendOnly, replicaOf, cluster } = options;
    this.port = port;
    this.#folder = mkdtempSync(join(tmpdir(), "mcp-codegen-redis-"));
    this.#args = [
      "--port",
      `${port}`,
      "--bind",
      "127.0.0.1",
      "--dir",
      this.#folder,
      "--save",
      "",
      "--appendonly",
      appendOnly ? "yes" : "no",
      "--appendfsync",
      "always",
      ...(replicaOf ? ["--replicaof", "127.0.0.1", `${replicaOf.port}`] : []),
      ...(cluster ? ["--cluster-enabled", "yes", "--cluster-port", `${busPort}`] : []),
    ];
  }

  static async start(options: RedisServerOptions = {}): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), await freePort(), options);
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it with the content of its file. */
  async start(): Promise<void> {
    const child = spawn("redis-server", this.#args, { stdio: "ignore" });
    this.#process = child;
    for (let attempt = 0; attempt < 200; attempt++) {
      const said = await this.cli("ping").catch(() => "");
      if (said === "PONG") return;
      if (child.exitCode !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`redis-server did not start on port ${this.port}`);
  }

  /** Runs a command. @returns what `redis-cli` prints */
  async cli(...args: string[]): Promise<string> {
    const { stdout } = await run("redis-cli", ["-p", `${this.port}`, ...args], { timeout: 10_000 });
    return stdout.trim();
  }

  async keys(): Promise<string[]> {
    const printed = await this.cli("keys", "*");
    return printed === "" ? [] : printed.split("\n").toSorted();
  }

  /** Ends it immediately, as a crash would. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGCONT");
    child.kill("SIGKILL");
    await gone;
  }

  /** Stops it from responding until it is resumed. */
  pause(): void {
    this.#process?.kill("SIGSTOP");
  }

  resume(): void {
    this.#process?.kill("SIGCONT");
  }

  /** Ends it for good. */
  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A cluster of three servers, each with a third of the slots. */
export class RedisCluster {
  readonly servers: readonly RedisServer[];

  private constructor(servers: readonly RedisServer[]) {
    this.servers = servers;
  }

  static async start(): Promise<RedisCluster> {
    const servers = [];
    for (let count = 0; count < 3; count++)
      servers.push(await RedisServer.start({ cluster: true }));
    const places = servers.map(({ port }) => `127.0.0.1:${port}`);
    await run("redis-cli", ["--cluster", "create", ...places, "--cluster-yes"]);
    for (const server of servers) await untilServing(server);
    return new RedisCluster(servers);
  }

  async keys(): Promise<string[]> {
    return (await Promise.all(this.servers.map((server) => server.keys()))).flat();
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop()));
  }
}

async function untilServing(server: RedisServer): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (/cluster_state:ok/.test(await server.cli("cluster", "info"))) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("the cluster did not begin to serve");
}
