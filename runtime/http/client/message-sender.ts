import { within } from "../../ground/index.js";
import {
  ConnectionClosedError,
  type Frame,
  type NotificationMessage,
  type Receiver,
  type RequestId,
  type Revision,
  type SendingOptions,
  isObject,
  isRequestId,
} from "../../wire/index.js";

/** A connection to a server over either HTTP transport with sessions. */
export interface Connection {
  readonly sessionId?: string | undefined;
  /**
   * Sends a request. Resolves when the exchange has ended.
   *
   * @param isRelated - true if the request is sent while a request from the server is being handled
   */
  request(id: RequestId, text: string, isRelated: boolean, options?: SendingOptions): Promise<void>;
  /** Sends a notification; resolves when the server has accepted it. */
  notify(text: string, isRelated: boolean): Promise<void>;
  /**
   * Sends answers, unless the server is no longer waiting for them.
   *
   * @param ids - the ids of the answered requests; a request that could not be parsed has none
   */
  answer(ids: readonly RequestId[], text: string): Promise<void>;
  cancel(id: RequestId): void;
  agreed(revision: Revision): void;
  close(): Promise<void>;
}

/** The time, in milliseconds, that closing waits for the server to accept earlier messages. */
export const FLUSH_TIME = 2000;

/**
 * The maximum number of answers sent concurrently. It is limited because the server decides how many requests it sends
 * and how fast it accepts answers.
 */
const MOST_SENDING = 4;
const MOST_WAITING = 10_000;
const MOST_CHARACTERS = 64 * 1024 * 1024;

/** An answer that is waiting to be sent. `deliver` never rejects. */
interface WaitingAnswer {
  readonly size: number;
  readonly deliver: () => Promise<void>;
}

/**
 * Sends a session's messages and reports failures to the receiver. A message after a notification waits until the
 * server has accepted the notification; requests do not wait for each other.
 */
export class MessageSender {
  /** The connection that carries the messages. It may be replaced until the first message has been accepted. */
  connection: Connection;
  readonly #receiver: Receiver;
  readonly #request: Connection["request"];
  #last: Promise<void> | undefined;
  readonly #notifying = new Set<Promise<void>>();
  readonly #answers = new Set<WaitingAnswer>();
  #characters = 0;
  #sending = 0;
  #answersSent: (() => void) | undefined;
  #cancelled: string | undefined;
  #isClosed = false;

  constructor(connection: Connection, receiver: Receiver, request?: Connection["request"]) {
    this.connection = connection;
    this.#receiver = receiver;
    this.#request = request ?? ((...message) => this.connection.request(...message));
  }

  send(frame: Frame, relatedTo: RequestId | undefined): Promise<void> | undefined {
    const text = JSON.stringify(frame);
    if (this.#isClosed) return undefined;
    const isRelated = relatedTo !== undefined;
    if (!("method" in frame)) {
      this.#answer(frame, text);
      return undefined;
    }
    if ("id" in frame) {
      const { id } = frame;
      void this.#follow(() => this.#deliver(this.#request(id, text, isRelated), id));
      return undefined;
    }
    return this.#notify(frame, text, isRelated);
  }

  agreed(revision: Revision): void {
    for (const { method, role } of revision.methods.values()) {
      if (role === "cancelled") this.#cancelled = method;
    }
    this.connection.agreed(revision);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const answered =
      this.#sending > 0 ? new Promise<void>((resolve) => (this.#answersSent = resolve)) : undefined;
    await within(FLUSH_TIME, Promise.all([...this.#notifying, answered]));
    await this.connection.close();
  }

  /** Runs an operation, which must not reject, once the last notification has been accepted. */
  #follow(deliver: () => Promise<void>): Promise<void> {
    return this.#last ? this.#last.then(deliver) : deliver();
  }

  #notify(frame: NotificationMessage, text: string, isRelated: boolean): Promise<void> {
    const delivered = this.#follow(async () => {
      await this.#deliver(this.connection.notify(text, isRelated));
      const { method, params } = frame;
      const id = method === this.#cancelled && isObject(params) ? params["requestId"] : undefined;
      if (isRequestId(id)) this.connection.cancel(id);
    });
    this.#last = delivered;
    this.#notifying.add(delivered);
    void delivered.then(() => {
      this.#notifying.delete(delivered);
      if (this.#last === delivered) this.#last = undefined;
    });
    return delivered;
  }

  #answer(frame: Answers, text: string): void {
    const last = this.#last;
    const send = (): Promise<void> => this.#deliver(this.connection.answer(idsOf(frame), text));
    const deliver = last ? () => last.then(send) : send;
    const size = text.length;
    if (this.#sending < MOST_SENDING) {
      this.#sendAnswer(deliver);
    } else if (this.#answers.size < MOST_WAITING && this.#characters + size <= MOST_CHARACTERS) {
      this.#answers.add({ size, deliver });
      this.#characters += size;
    } else {
      this.#answers.clear();
      this.#isClosed = true;
      const problem =
        "The server sends requests faster than it reads the responses: too many responses are waiting";
      this.#receiver.closed(new ConnectionClosedError(problem));
    }
  }

  #sendAnswer(deliver: () => Promise<void>): void {
    this.#sending += 1;
    void deliver().then(this.#answerSent);
  }

  readonly #answerSent = (): void => {
    this.#sending -= 1;
    const [next] = this.#answers;
    if (next) {
      this.#answers.delete(next);
      this.#characters -= next.size;
      this.#sendAnswer(next.deliver);
    } else if (this.#sending === 0) {
      this.#answersSent?.();
    }
  };

  async #deliver(delivered: Promise<void>, id?: RequestId): Promise<void> {
    try {
      await delivered;
    } catch (error) {
      if (!this.#isClosed) this.#receiver.failed(id, error as Error);
    }
  }
}

type Answers = Exclude<Frame, { method: string }>;

function idsOf(frame: Answers): RequestId[] {
  const answers = "length" in frame ? frame : [frame];
  return answers.map(({ id }) => id).filter((id) => id !== undefined && id !== null);
}
