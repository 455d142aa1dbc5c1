import type { ServerResponse } from "node:http";

/** Bytes that the connection gets at once. */
export const PIECE: number = 256 * 1024;

/** Long texts of a response, handed to the connection piece by piece: only then can be seen how much its reader takes. */
export class Backlog {
  /** Bytes that the connection has not got. */
  size = 0;
  readonly #response: ServerResponse;
  #texts: Buffer[] = [];
  #isEnding = false;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.on("drain", this.#continue);
    response.on("close", this.#clear);
  }

  write(text: string): void {
    const bytes = Buffer.from(text);
    this.#texts.push(bytes);
    this.size += bytes.length;
    if (!this.#response.writableNeedDrain) this.#continue();
  }

  /** Ends the response after what was written. */
  end(): void {
    this.#isEnding = true;
    if (this.size === 0) this.#response.end();
  }

  readonly #continue = (): void => {
    while (this.#texts.length > 0) {
      const [text] = this.#texts as [Buffer];
      const piece = text.subarray(0, PIECE);
      if (piece.length === text.length) this.#texts.shift();
      else this.#texts[0] = text.subarray(PIECE);
      this.size -= piece.length;
      // Other implementations of a response may return nothing.
      if (this.#response.write(piece) === false && this.size > 0) return;
    }
    if (this.#isEnding && !this.#response.writableEnded) this.#response.end();
  };

  readonly #clear = (): void => {
    this.#texts = [];
    this.size = 0;
  };
}
