import type { Readable } from "node:stream";

/** Length of the kept end, in characters. */
const KEPT_CHARACTERS = 8192;
const KEPT_LINES = 20;

/** Destination of a server's standard error, see `StdioClientOptions.stderr`. */
export type StderrMode = "keep" | "forward" | "ignore" | ((text: string) => void);

/** Reads a child's standard error, so that it never blocks, and remembers how it ended. */
export class StderrTail {
  readonly #mode: StderrMode;
  readonly #decoder = new TextDecoder();
  #kept = "";

  constructor(mode: StderrMode) {
    this.#mode = mode;
  }

  get isWanted(): boolean {
    return this.#mode !== "ignore";
  }

  /** The last lines. */
  get text(): string {
    return this.#kept.trimEnd().split("\n").slice(-KEPT_LINES).join("\n");
  }

  read(stream: Readable): void {
    stream.on("error", () => {});
    stream.on("data", (chunk: Uint8Array) => {
      const text = this.#decoder.decode(chunk, { stream: true });
      this.#kept = (this.#kept + text).slice(-KEPT_CHARACTERS);
      if (this.#mode === "forward") process.stderr.write(chunk);
      else if (typeof this.#mode === "function") this.#mode(text);
    });
  }
}
