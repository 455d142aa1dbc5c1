import assert from "node:assert/strict";
import type { Readable, Writable } from "node:stream";
import { listen } from "../stdio/listen.js";
import { PreparedRequest } from "../stdio/prepared-request.js";

const NEWLINE = 10;
/** Bytes under way: enough that neither side waits for the other while messages are small. */
const UNDER_WAY = 256 * 1024;
const MOST_IN_FLIGHT = 64;
const ENOUGH = 20_000;
const ENOUGH_BYTES = 50_000_000;
const PATIENCE = 30_000;

interface Echo {
  readonly result?: { readonly content?: readonly { readonly text?: string }[] };
}

/** Calls `echo` with a long text, over and over; looks at nothing of the answers but their length. */
export class Messages {
  readonly #input: Writable;
  readonly #output: Readable;
  readonly #text: string;
  readonly #request: PreparedRequest;
  readonly #inFlight: number;
  readonly #enough: number;
  /** Bytes of an answer, once there was one. */
  #length: number | undefined;
  #sent = 0;

  constructor(input: Writable, output: Readable, size: number) {
    this.#input = input;
    this.#output = output;
    this.#text = "0123456789".repeat(size / 10);
    this.#inFlight = Math.min(MOST_IN_FLIGHT, Math.max(1, Math.floor(UNDER_WAY / size)));
    this.#enough = Math.min(ENOUGH, Math.ceil(ENOUGH_BYTES / size));
    const params = { name: "echo", arguments: { text: this.#text } };
    this.#request = new PreparedRequest("tools/call", params, this.#inFlight);
  }

  /** Reads an answer as a whole; all others have to be as long. */
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
   * Until the time is over, and not before there were enough: 20,000, or 50 MB where they are long.
   * @returns how many were answered
   */
  async drive(milliseconds: number): Promise<number> {
    const end = performance.now() + milliseconds;
    let answered = 0;
    while (answered < this.#enough || performance.now() < end) {
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

  /** Sends some requests, and listens until there is nothing more to come. */
  #exchange(count: number, take: (chunk: Buffer) => boolean): Promise<void> {
    this.#input.write(this.#request.take(count, this.#sent));
    this.#sent += count;
    return listen(this.#output, take, PATIENCE);
  }
}
