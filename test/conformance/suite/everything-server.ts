import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const programOf = (name: string) => fileURLToPath(new URL(`../server/${name}.js`, import.meta.url));

/** The everything-server, running in a process of its own. */
export class EverythingServer {
  readonly url: string;
  readonly #process: ChildProcess;

  private constructor(url: string, process: ChildProcess) {
    this.url = url;
    this.#process = process;
  }

  /**
   * Starts the server.
   *
   * @param only - the one revision that it may agree on; all available ones if omitted
   * @param redis - URL of the Redis server that it shares with other instances
   */
  static start(only?: string, redis?: string): Promise<EverythingServer> {
    const shared = redis === undefined ? [] : ["--redis", redis];
    return this.#run("main", ["--port", "0", ...shared], only);
  }

  /** Starts a bridge in front of a server. @param behind - URL of the server */
  static bridge(behind: string, only?: string): Promise<EverythingServer> {
    return this.#run("bridge", ["--upstream", behind], only);
  }

  static async #run(
    name: string,
    options: readonly string[],
    only: string | undefined,
  ): Promise<EverythingServer> {
    const restricted = only === undefined ? [] : ["--revisions", only];
    const child = spawn(process.execPath, [programOf(name), ...options, ...restricted], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    for await (const line of createInterface(child.stdout)) {
      const url = /http:\S+/.exec(line)?.[0];
      if (url) return new EverythingServer(url, child);
    }
    throw new Error("The everything-server ended before it was listening");
  }

  /** Asks the server to end, which it must do by itself. */
  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const end = once(this.#process, "exit");
    this.#process.kill();
    await end;
  }
}

/** Returns the id of the revision that a server agrees on with a client that offers another one. */
export async function agreedRevision(url: string, offered: string): Promise<string | undefined> {
  const clientInfo = { name: "conformance-runner", version: "1.0.0" };
  const params = { protocolVersion: offered, capabilities: {}, clientInfo };
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
  });
  return /"protocolVersion":"([^"]*)"/.exec(await response.text())?.[1];
}
