import type { ResponseMessage } from "../wire/index.js";

/** Collects the answers to one array of messages, which are sent together (JSON-RPC 2.0, section 6). */
export class Batch {
  readonly #answers: ResponseMessage[] = [];
  readonly #send: (answers: readonly ResponseMessage[]) => void;
  #open: number;

  /** @param members - how many of them {@link settle} will be called for */
  constructor(members: number, send: (answers: readonly ResponseMessage[]) => void) {
    this.#open = members;
    this.#send = send;
  }

  /** A member is done, with an answer or with nothing to say; the last one lets the answers go. */
  settle(answer?: ResponseMessage): void {
    if (answer) this.#answers.push(answer);
    this.#open -= 1;
    if (this.#open === 0 && this.#answers.length > 0) this.#send(this.#answers);
  }
}
