import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../server/main.js", import.meta.url));

/** The everything-server, running in a process of its own. */
export class EverythingServer {
  readonly url: string;
  readonly #process: ChildProcess;

  private constructor(url: string, process: ChildProcess) {
    this.url = url;
    this.#process = process;
  }

  /**
   * @param only - the one revision that it may agree on; all that there are when left out
   * @param redis - URL of the Redis server that it shares with other instances
   */
  static async start(only?: string, redis?: string): Promise<EverythingServer> {
    const options = [
      ...(only === undefined ? [] : ["--revisions", only]),
      ...(redis === undefined ? [] : ["--redis", redis]),
    ];
    const child = spawn(process.execPath, [program, "--port", "0", ...options], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    for await (const line of createInterface(child.stdout)) {
      const url = /http:\S+/.exec(line)?.[0];
      if (url) return new EverythingServer(url, child);
    }
    throw new Error("The everything-server ended before it was listening");
  }

  /** Sends a request to end, which it must do by itself. */
  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const end = once(this.#process, "exit");
    this.#process.kill();
    await end;
  }
}

/** Id of the revision that a server agrees on with a client that offers another one. */
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
