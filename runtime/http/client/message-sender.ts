import {
  ConnectionClosedError,
  type Frame,
  type NotificationMessage,
  type Receiver,
  type RequestId,
  type Revision,
  isObject,
  isRequestId,
} from "../../wire/index.js";
import type { Connection } from "./connection.js";
import { DeliveryQueue } from "./delivery-queue.js";
import { settledWithin } from "./wait.js";

/** Time that closing waits for the server to take the messages sent before, in milliseconds. */
const FLUSH_TIME = 2000;

/** Brings messages to a connection in order, and news of those that did not get through to the receiver. */
export class MessageSender {
  /** Connection that carries the messages; exchangeable until the first one has got through. */
  connection: Connection;
  readonly #receiver: Receiver;
  readonly #request: Connection["request"];
  readonly #queue = new DeliveryQueue();
  /** The notification that cancels a request. */
  #cancelled: string | undefined;
  #isClosed = false;

  /** @param request - sends requests. Default: what the connection has for that */
  constructor(connection: Connection, receiver: Receiver, request?: Connection["request"]) {
    this.connection = connection;
    this.#receiver = receiver;
    this.#request = request ?? ((...message) => this.connection.request(...message));
  }

  /** @throws TypeError or RangeError when it cannot be written as JSON */
  send(frame: Frame, relatedTo: RequestId | undefined): Promise<void> | undefined {
    const text = JSON.stringify(frame);
    if (this.#isClosed) return undefined;
    const isRelated = relatedTo !== undefined;
    if (!("method" in frame)) {
      const deliver = (): Promise<void> =>
        this.#deliver(this.connection.answer(idsOf(frame), text));
      if (!this.#queue.answer(text.length, deliver)) this.#giveUp();
      return undefined;
    }
    if ("id" in frame) {
      const { id } = frame;
      this.#queue.request(() => this.#deliver(this.#request(id, text, isRelated), id));
      return undefined;
    }
    return this.#queue.notify(() => this.#notify(frame, text, isRelated));
  }

  agreed(revision: Revision): void {
    for (const { method, role } of revision.methods.values()) {
      if (role === "cancelled") this.#cancelled = method;
    }
    this.connection.agreed(revision);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await settledWithin(FLUSH_TIME, this.#queue.flushed());
    await this.connection.close();
  }

  #giveUp(): void {
    this.#isClosed = true;
    const text = "The server asks faster than it takes the answers: too many wait to be sent";
    this.#receiver.closed(new ConnectionClosedError(text));
  }

  async #notify(frame: NotificationMessage, text: string, isRelated: boolean): Promise<void> {
    await this.#deliver(this.connection.notify(text, isRelated));
    const { method, params } = frame;
    const id = method === this.#cancelled && isObject(params) ? params["requestId"] : undefined;
    if (isRequestId(id)) this.connection.cancel(id);
  }

  /** @param id - of the request that fails if this does */
  async #deliver(delivered: Promise<void>, id?: RequestId): Promise<void> {
    try {
      await delivered;
    } catch (error) {
      if (!this.#isClosed) this.#receiver.failed(id, error as Error);
    }
  }
}

function idsOf(frame: Exclude<Frame, { method: string }>): RequestId[] {
  const answers = "length" in frame ? frame : [frame];
  return answers.map(({ id }) => id).filter((id) => id !== undefined && id !== null);
}
