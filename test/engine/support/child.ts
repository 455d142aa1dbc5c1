import { type ChildProcess, spawn } from "node:child_process";
import type { Wire } from "./raw-peer.js";

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process that exchanges lines, controlled by the test. */
export class Child {
  readonly process: ChildProcess;
  readonly exit: Promise<Exit>;
  stdout = "";
  stderr = "";
  readonly #lines: string[] = [];
  /** The received parts of the current line. */
  #partial: string[] = [];
  #wake: (() => void)[] = [];

  constructor(program: string, args: readonly string[] = []) {
    this.process = spawn(process.execPath, [program, ...args], { stdio: "pipe" });
    this.process.stdin!.on("error", () => {});
    this.process.stdout!.setEncoding("utf8").on("data", (text: string) => this.#read(text));
    this.process.stderr!.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
      this.#notify();
    });
    this.exit = new Promise((resolve) => {
      this.process.once("close", (code, signal) => resolve({ code, signal }));
    });
  }

  write(bytes: string | Uint8Array): void {
    this.process.stdin!.write(bytes);
  }

  say(message: object): void {
    this.write(`${JSON.stringify(message)}\n`);
  }

  ask(id: unknown, method: string, params?: unknown): void {
    this.say({ jsonrpc: "2.0", id, method, params });
  }

  async call(id: unknown, method: string, params?: unknown): Promise<Wire> {
    this.ask(id, method, params);
    return this.next();
  }

  async initialize(capabilities: object = {}): Promise<Wire> {
    const answer = await this.call("init", "initialize", {
      protocolVersion: "one",
      capabilities,
      clientInfo: { name: "raw" },
    });
    this.say({ jsonrpc: "2.0", method: "notifications/initialized" });
    return answer;
  }

  /** Fails unless the process still answers. */
  async staysAlive(): Promise<void> {
    const answer = await this.call("alive", "ping");
    if (answer.id !== "alive" || !answer.result)
      throw new Error(`Instead of an answer: ${JSON.stringify(answer)}`);
  }

  /** Returns the next line, parsed as JSON. */
  async next(): Promise<Wire> {
    await this.until(() => this.#lines.length > 0);
    return JSON.parse(this.#lines.shift()!);
  }

  /** Waits for a condition to become true, which is checked at each new output. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#wake.push(resolve));
  }

  #read(text: string): void {
    this.stdout += text;
    const [first = "", ...more] = text.split("\n");
    this.#partial.push(first);
    if (more.length > 0) {
      this.#lines.push(this.#partial.join(""), ...more.slice(0, -1));
      this.#partial = [more.at(-1)!];
    }
    this.#notify();
  }

  #notify(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}
