import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  Agent,
  createServer,
  get,
  type IncomingMessage,
  request as httpRequest,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

/** A serving process, as the balancer sees it. */
export interface Instance {
  readonly process: ChildProcess;
  readonly port: number;
  /** The lines that it prints. */
  readonly lines: AsyncIterator<string>;
  isHealthy: boolean;
  /** True while its health is being checked, because a late answer must not replace a newer one. */
  isLookedAt: boolean;
  requests: number;
  /** The number of requests without a complete response. */
  underWay: number;
}

/** The interval between two health checks of an instance, in milliseconds. */
const INTERVAL = 100;

/** The number of consecutive health checks before an instance stops accepting requests. */
const LOOKS = 5;

/**
 * A balancer that forwards each request to the next healthy instance, over connections that it keeps open. If it is
 * sticky, a session's requests go to the instance that opened it. It never repeats a request.
 */
export class Balancer {
  url = "";
  readonly instances: Instance[] = [];
  /** The reasons why requests failed. */
  readonly failures: string[] = [];
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #outgoing = new Set<ServerResponse>();
  readonly #ofSessions = new Map<string, Instance>();
  readonly #isSticky: boolean;
  readonly #program: string;
  readonly #arguments: readonly string[];
  readonly #looking: ReturnType<typeof setInterval>;
  #next = 0;

  constructor(isSticky: boolean, program: string, ...given: string[]) {
    this.#isSticky = isSticky;
    this.#program = program;
    this.#arguments = given;
    const keepAliveTimeout = 60_000;
    this.#server = createServer({ keepAliveTimeout }, (incoming, outgoing) =>
      this.#pass(incoming, outgoing),
    );
    this.#looking = setInterval(() => {
      for (const instance of this.instances) if (!instance.isLookedAt) void this.#look(instance);
    }, INTERVAL);
  }

  async start(size: number): Promise<this> {
    for (let count = 0; count < size; count++) await this.add();
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`;
    return this;
  }

  /** Starts another instance, which receives requests once it is healthy. */
  async add(): Promise<Instance> {
    const child = spawn(process.execPath, [this.#program, ...this.#arguments], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const { value } = await lines.next();
    const instance = {
      process: child,
      port: Number(value),
      lines,
      isHealthy: false,
      isLookedAt: false,
      requests: 0,
      underWay: 0,
    };
    this.instances.push(instance);
    while (!instance.isHealthy) await sleep(INTERVAL / 4);
    return instance;
  }

  /**
   * Removes an instance. The first signal tells it to leave; the second tells it to wait for no further requests,
   * because none is on its way.
   *
   * @param settled - waits until what was started there needs no further request
   * @returns the exit code and the last line
   */
  async remove(
    instance: Instance,
    settled: () => Promise<unknown>,
  ): Promise<{ code: number | null; line: string }> {
    const exit = once(instance.process, "exit") as Promise<[number | null]>;
    instance.process.kill("SIGTERM");
    while (instance.isHealthy) await sleep(INTERVAL / 4);
    await settled();
    // Everything sent earlier has been read once these are answered.
    for (let count = 0; count < LOOKS; count++) await this.#look(instance);
    instance.process.kill("SIGTERM");
    const { value } = await instance.lines.next();
    const [code] = await exit;
    this.instances.splice(this.instances.indexOf(instance), 1);
    return { code, line: String(value) };
  }

  /**
   * Breaks all connections to clients that are waiting for a response.
   *
   * @returns the number of connections
   */
  cut(): number {
    const { size } = this.#outgoing;
    for (const outgoing of this.#outgoing) outgoing.destroy();
    return size;
  }

  /**
   * Kills an instance, which receives no further requests.
   *
   * @returns the number of requests that were under way
   */
  kill(instance: Instance): number {
    this.instances.splice(this.instances.indexOf(instance), 1);
    instance.process.kill("SIGKILL");
    return instance.underWay;
  }

  async stop(): Promise<void> {
    clearInterval(this.#looking);
    this.#agent.destroy();
    this.#server.closeAllConnections();
    this.#server.close();
    for (const { process } of this.instances) process.kill("SIGKILL");
  }

  async #look(instance: Instance): Promise<void> {
    const to = { host: "127.0.0.1", port: instance.port, path: "/health", agent: false };
    instance.isLookedAt = true;
    try {
      const [answer] = (await once(get(to), "response")) as [IncomingMessage];
      instance.isHealthy = answer.statusCode === 200;
      answer.resume();
    } catch {
      instance.isHealthy = false;
    }
    instance.isLookedAt = false;
  }

  #pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const session = incoming.headers["mcp-session-id"];
    const own = this.#isSticky ? this.#ofSessions.get(String(session)) : undefined;
    const instance = own ?? this.#nextHealthy();
    if (instance === undefined) {
      this.failures.push("no instance is healthy");
      return void outgoing.writeHead(502).end();
    }
    instance.requests += 1;
    instance.underWay += 1;
    this.#outgoing.add(outgoing);
    outgoing.once("close", () => {
      instance.underWay -= 1;
      this.#outgoing.delete(outgoing);
    });
    const { method = "", url: path = "", rawHeaders } = incoming;
    const to = { host: "127.0.0.1", port: instance.port, method, path, agent: this.#agent };
    const passed = httpRequest({ ...to, headers: rawHeaders as never }, (answer) => {
      const { statusCode = 0, headers } = answer;
      const opened = headers["mcp-session-id"];
      if (typeof opened === "string") this.#ofSessions.set(opened, instance);
      if (statusCode >= 500) this.failures.push(`${statusCode} of ${instance.port}`);
      outgoing.writeHead(statusCode, withoutHop(headers));
      answer.pipe(outgoing);
      answer.on("error", (error) => this.#broke(error, incoming, outgoing));
    });
    passed.on("error", (error) => this.#broke(error, incoming, outgoing));
    outgoing.on("close", () => outgoing.writableFinished || passed.destroy());
    incoming.pipe(passed);
  }

  #broke(error: Error, incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (!incoming.socket.destroyed) this.failures.push(error.message);
    outgoing.destroy();
  }

  #nextHealthy(): Instance | undefined {
    const healthy = this.instances.filter(({ isHealthy }) => isHealthy);
    return healthy[this.#next++ % healthy.length];
  }
}

/** Returns the header fields, without those that concern a single connection. */
function withoutHop(headers: IncomingMessage["headers"]): IncomingMessage["headers"] {
  const { connection: _connection, "keep-alive": _keepAlive, ...rest } = headers;
  return rest;
}
