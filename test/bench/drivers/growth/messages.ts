import assert from "node:assert/strict";
import type { Readable, Writable } from "node:stream";
import { listen } from "../stdio/listen.js";
import { PreparedRequest } from "../stdio/prepared-request.js";

const NEWLINE = 10;
/** The number of bytes in flight, large enough that neither side waits for the other while messages are small. */
const UNDER_WAY = 256 * 1024;
const MOST_IN_FLIGHT = 64;
const PATIENCE = 30_000;

interface Echo {
  readonly result?: { readonly content?: readonly { readonly text?: string }[] };
}

/** Calls `echo` repeatedly with a long text. Of most answers, it reads only the length. */
export class Messages {
  readonly #input: Writable;
  readonly #output: Readable;
  readonly #text: string;
  readonly #request: PreparedRequest;
  readonly #inFlight: number;
  /** The length of an answer in bytes, known after the first one. */
  #length: number | undefined;
  #sent = 0;

  constructor(input: Writable, output: Readable, size: number) {
    this.#input = input;
    this.#output = output;
    this.#text = "0123456789".repeat(size / 10);
    this.#inFlight = Math.min(MOST_IN_FLIGHT, Math.max(1, Math.floor(UNDER_WAY / size)));
    const params = { name: "echo", arguments: { text: this.#text } };
    this.#request = new PreparedRequest("tools/call", params, this.#inFlight);
  }

  /** Makes one call and reads the answer. All other answers must have the same length. */
  async check(): Promise<void> {
    const parts: Buffer[] = [];
    await this.#exchange(1, (chunk) => {
      parts.push(chunk);
      return chunk.at(-1) === NEWLINE;
    });
    const line = Buffer.concat(parts);
    const { result } = JSON.parse(line.toString()) as Echo;
    assert.equal(result?.content?.[0]?.text?.length, this.#text.length);
    this.#length ??= line.length;
    assert.equal(line.length, this.#length);
  }

  /**
   * Makes calls until the given time in milliseconds has passed and the answers contain at least the given number of
   * bytes.
   *
   * @returns the number of answered calls
   */
  async drive(milliseconds: number, bytes: number): Promise<number> {
    const end = performance.now() + milliseconds;
    let answered = 0;
    while (answered * this.#length! < bytes || performance.now() < end) {
      let missing = this.#inFlight * this.#length!;
      await this.#exchange(this.#inFlight, (chunk) => {
        missing -= chunk.length;
        return missing <= 0;
      });
      assert.equal(missing, 0, "An answer has another length");
      answered += this.#inFlight;
    }
    return answered;
  }

  /** Sends some requests and reads until `take` has all answers. */
  #exchange(count: number, take: (chunk: Buffer) => boolean): Promise<void> {
    this.#input.write(this.#request.take(count, this.#sent));
    this.#sent += count;
    return listen(this.#output, take, PATIENCE);
  }
}
