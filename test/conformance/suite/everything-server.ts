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

  /** @param only - the one revision that it may agree on; all that there are when left out */
  static async start(only?: string): Promise<EverythingServer> {
    const revisions = only === undefined ? [] : ["--revisions", only];
    const child = spawn(process.execPath, [program, "--port", "0", ...revisions], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    for await (const line of createInterface(child.stdout)) {
      const url = /http:\S+/.exec(line)?.[0];
      if (url) return new EverythingServer(url, child);
    }
    throw new Error("The everything-server ended before it was listening");
  }

  /** Id of the revision that it agrees on with a client that offers another one. */
  async agreesOn(offered: string): Promise<string | undefined> {
    const clientInfo = { name: "conformance-runner", version: "1.0.0" };
    const params = { protocolVersion: offered, capabilities: {}, clientInfo };
    const response = await fetch(this.url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
    });
    return /"protocolVersion":"([^"]*)"/.exec(await response.text())?.[1];
  }

  /** Asks it to end, which it must do by itself. */
  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const end = once(this.#process, "exit");
    this.#process.kill();
    await end;
  }
}
