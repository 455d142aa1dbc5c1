import { Batch } from "./batch.js";
import type { Binding } from "./binding.js";
import {
  INVALID_REQUEST,
  InvalidMessageError,
  type Malformed,
  type Origin,
  type ResponseMessage,
  type Side,
  answerToUnreadable,
  classify,
  isObject,
  isRequestId,
  whatIsWrong,
} from "../wire/index.js";
import type { Incoming } from "./incoming.js";
import type { Asked, Told } from "./incoming-host.js";
import type { Outgoing } from "./outgoing.js";

/** What the sorting of received values needs of its connection. */
export interface InboxHost {
  readonly side: Side;
  readonly binding: Binding;
  respond(message: ResponseMessage, batch: Batch | undefined): void;
  transmitBatch(answers: readonly ResponseMessage[]): void;
  report(error: Error): void;
}

/** Sorts what a transport delivers into requests, notifications, answers, and what is none of these. */
export class Inbox {
  readonly #host: InboxHost;
  readonly #incoming: Incoming;
  readonly #outgoing: Outgoing;
  /** Most messages in a batch. */
  readonly #limit: number;

  constructor(host: InboxHost, incoming: Incoming, outgoing: Outgoing, limit: number) {
    this.#host = host;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#limit = limit;
  }

  take(value: unknown, origin?: Origin): void {
    if (Array.isArray(value)) this.#batch(value, origin);
    else this.#single(value, origin);
  }

  malformed({ code, problem, value }: Malformed): void {
    if (this.#isAnswer(value)) this.#outgoing.response(value, `cannot be read: ${problem}`);
    else this.#refuse(code, problem, value);
  }

  #single(value: unknown, origin?: Origin, batch?: Batch): void {
    const kind = classify(value);
    const message = value as Record<string, unknown>;
    if (kind === "request" && isRequestId(message["id"])) {
      this.#incoming.request(value as Asked, origin, batch);
    } else if (kind === "notification") {
      this.#incoming.notification(value as Told, origin);
      batch?.settle();
    } else if (kind === "result" || kind === "error") {
      this.#outgoing.response(message);
      batch?.settle();
    } else if (this.#isAnswer(value)) {
      this.#outgoing.response(value, "is not a JSON-RPC response");
      batch?.settle();
    } else {
      this.#refuse(INVALID_REQUEST, whatIsWrong(value), value, batch);
    }
  }

  #batch(messages: readonly unknown[], origin: Origin | undefined): void {
    const { revision } = this.#host.binding;
    if (!revision?.traits.batching) {
      const when = revision ? `in ${revision.id}` : "before initialization";
      this.#refuse(INVALID_REQUEST, `there are no batches ${when}: send one message at a time`);
    } else if (messages.length === 0) {
      this.#refuse(INVALID_REQUEST, "the batch is empty");
    } else if (messages.length > this.#limit) {
      this.#refuse(INVALID_REQUEST, `the batch has more than ${this.#limit} messages`);
    } else {
      const send = (answers: readonly ResponseMessage[]): void => this.#host.transmitBatch(answers);
      const batch = new Batch(messages.length, send);
      for (const message of messages) this.#single(message, origin, batch);
    }
  }

  /** Whether a value was meant as the answer to a request that waits for one. */
  #isAnswer(value: unknown): value is Record<string, unknown> {
    return (
      isObject(value) && value["method"] === undefined && this.#outgoing.isPending(value["id"])
    );
  }

  #refuse(code: number, problem: string, value?: unknown, batch?: Batch): void {
    this.#host.report(new InvalidMessageError(`Received what cannot be handled: ${problem}`));
    const { revision } = this.#host.binding;
    const answer = answerToUnreadable({ code, problem, value }, this.#host.side, revision);
    if (answer) this.#host.respond(answer, batch);
    else batch?.settle();
  }
}
