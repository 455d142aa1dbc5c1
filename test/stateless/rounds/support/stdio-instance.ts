import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Instance } from "./fleet.js";
import type { Wire } from "./round-trips.js";

/** A server in its own process, over stdio. */
export class StdioInstance implements Instance {
  readonly process: ChildProcess;
  #lastId = 0;
  readonly #waiting = new Map<number, (answer: Wire) => void>();

  constructor(program: string, key: string) {
    this.process = spawn(process.execPath, [program, key], {
      stdio: ["pipe", "pipe", "ignore"],
    });
    createInterface({ input: this.process.stdout! }).on("line", (line) => {
      const answer = JSON.parse(line) as Wire;
      this.#waiting.get(answer.id)!(answer);
      this.#waiting.delete(answer.id);
    });
  }

  request(method: string, params: object): Promise<Wire> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.process.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  }

  async kill(): Promise<void> {
    if (this.process.exitCode ?? this.process.signalCode) return;
    this.process.kill("SIGKILL");
    await once(this.process, "exit");
  }
}
