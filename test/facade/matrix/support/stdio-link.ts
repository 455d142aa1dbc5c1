import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { Hear, Link, Wire } from "./link.js";

/** The pipes of a process, which several clients may share. */
export class StdioLink implements Link {
  readonly wire = "stdio";
  readonly #input: Writable;
  readonly #hears = new Set<Hear>();
  #own: Hear | undefined;

  constructor(pipes: { readonly stdin: Writable; readonly stdout: Readable } | StdioLink) {
    if (pipes instanceof StdioLink) {
      this.#input = pipes.#input;
      this.#hears = pipes.#hears;
      return;
    }
    this.#input = pipes.stdin;
    createInterface({ input: pipes.stdout }).on("line", (line) => {
      for (const message of [JSON.parse(line) as Wire].flat()) {
        for (const receive of this.#hears) receive(message, { on: "pipe" });
      }
    });
  }

  async open(receive: Hear): Promise<void> {
    this.#own = receive;
    this.#hears.add(receive);
  }

  async say(message: Wire): Promise<void> {
    this.#input.write(`${JSON.stringify(message)}\n`);
  }

  close(): void {
    if (this.#own) this.#hears.delete(this.#own);
  }
}
