import { readStart } from "./read-text.js";

/** Bodies that are read at once; beyond, their connections are not worth keeping. */
const MOST = 8;

/** Characters of a body that are read so that its connection is used again. */
const WORTH_READING = 16_384;

/** Responses whose bodies matter to nobody, of one connection: a server must not keep them for longer than that. */
export class Discards {
  readonly #closing = new AbortController();
  #count = 0;

  add(response: Response): void {
    const { body, bodyUsed } = response;
    if (body === null || bodyUsed) return;
    const { signal } = this.#closing;
    if (this.#count >= MOST || signal.aborted) {
      body.cancel().catch(() => {});
      return;
    }
    this.#count += 1;
    void readStart(response, WORTH_READING, signal).finally(() => {
      this.#count -= 1;
    });
  }

  close(): void {
    this.#closing.abort();
  }
}
