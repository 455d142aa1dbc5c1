import type { Readable, Writable } from "node:stream";
import { RawEnd } from "../support/raw-end.js";

/** Messages as lines over a pair of byte streams that the test controls. */
export class RawLines extends RawEnd {
  readonly #output: Writable;
  readonly #end: () => Promise<void>;
  #partial = "";

  constructor(input: Readable, output: Writable, end: () => Promise<void>) {
    super();
    this.#output = output;
    this.#end = end;
    output.on("error", () => {});
    input.on("end", () => void (this.isClosed = true));
    input.setEncoding("utf8").on("data", (chunk: string) => this.#read(chunk));
  }

  say(message: unknown): void {
    this.#output.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
  }

  close(): Promise<void> {
    return this.#end();
  }

  #read(chunk: string): void {
    const lines = (this.#partial + chunk).split("\n");
    this.#partial = lines.pop()!;
    for (const line of lines) this.take(JSON.parse(line));
  }
}
