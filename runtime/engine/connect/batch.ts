import type { Message, RequestId, ResponseMessage } from "../../wire/index.js";
import type { Reply } from "../receive/conversation.js";

/** Way back to the sender of an array of messages, whose answers are sent together (JSON-RPC 2.0, section 6). */
export class Batch implements Reply {
  readonly hasOwnStream = false;
  readonly #reply: Reply;
  readonly #send: (answers: readonly ResponseMessage[]) => void;
  readonly #answers: ResponseMessage[] = [];
  #open: number;

  /**
   * @param reply - way back of single messages
   * @param members - number of calls of {@link settle} that there will be
   */
  constructor(reply: Reply, members: number, send: (answers: readonly ResponseMessage[]) => void) {
    this.#reply = reply;
    this.#open = members;
    this.#send = send;
  }

  get connection(): object {
    return this.#reply.connection;
  }

  respond(answer: ResponseMessage): void {
    JSON.stringify(answer);
    this.settle(answer);
  }

  send(message: Message, relatedTo: RequestId | undefined): Promise<void> | undefined {
    return this.#reply.send(message, relatedTo);
  }

  cancelled(id: RequestId): void {
    this.settle();
    this.#reply.cancelled(id);
  }

  /** Ends one member, with an answer or without; the last one lets the answers go. */
  settle(answer?: ResponseMessage): void {
    if (answer) this.#answers.push(answer);
    this.#open -= 1;
    if (this.#open === 0 && this.#answers.length > 0) this.#send(this.#answers);
  }
}
