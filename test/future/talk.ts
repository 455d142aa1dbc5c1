import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";

// oxlint-disable-next-line typescript/no-explicit-any
type Message = Record<string, any>;

/** A conversation with a server in a process of its own. It sends messages exactly as they are written. */
export class Talk implements Disposable {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<unknown, (message: Message) => void>();
  #complaints = "";
  #lastId = 0;

  /** @param program - a module that serves on stdio */
  constructor(program: string) {
    this.#child = spawn(process.execPath, [program]);
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => (this.#complaints += text));
    this.#child.on("exit", () => this.#giveUp());
    createInterface(this.#child.stdout).on("line", (line) => this.#take(JSON.parse(line)));
  }

  [Symbol.dispose](): void {
    this.#child.kill();
  }

  /** Sends a request and returns the whole answer. */
  ask(method: string, params: object = {}): Promise<Message> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#send({ jsonrpc: "2.0", id, method, params });
    });
  }

  /** Performs the handshake of a revision that has one. */
  async shakeHands(protocolVersion: string): Promise<Message> {
    const clientInfo = { name: "client", version: "1" };
    const hello = await this.ask("initialize", { protocolVersion, capabilities: {}, clientInfo });
    this.#send({ jsonrpc: "2.0", method: "notifications/initialized" });
    return hello;
  }

  #send(message: Message): void {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #take(message: Message): void {
    this.#waiting.get(message["id"])?.(message);
    this.#waiting.delete(message["id"]);
  }

  #giveUp(): void {
    for (const resolve of this.#waiting.values()) resolve({ exited: this.#complaints });
  }
}

/** Creates the `_meta` of a stateless request. */
export function envelope(revision: string): { _meta: object } {
  return {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": revision,
      "io.modelcontextprotocol/clientInfo": { name: "client", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  };
}
