import type {
  Frame,
  Origin,
  Receiver,
  RequestId,
  Transport as RuntimeTransport,
} from "@mcp-codegen/runtime";

export interface FirstMessage {
  readonly message: unknown;
  readonly origin: Origin | undefined;
}

/** A transport that starts before its receiver is known and holds messages until then. */
export class HeldTransport implements RuntimeTransport {
  /** Resolves with the first message, or with undefined if the connection ends before a message arrives. */
  readonly first: Promise<FirstMessage | undefined>;
  /** Resolves when the connection has ended. The value is the error that ended it, if any. */
  readonly closed: Promise<Error | undefined>;
  readonly #inner: RuntimeTransport;
  #opened!: (first: FirstMessage | undefined) => void;
  #ended!: (error: Error | undefined) => void;
  #receiver: Receiver | undefined;
  #held: ((receiver: Receiver) => void)[] = [];

  constructor(inner: RuntimeTransport) {
    this.#inner = inner;
    this.first = new Promise((resolve) => {
      this.#opened = resolve;
    });
    this.closed = new Promise((resolve) => {
      this.#ended = resolve;
    });
  }

  get hooks(): RuntimeTransport["hooks"] {
    return this.#inner.hooks;
  }

  async open(): Promise<void> {
    await this.#inner.start({
      message: (value: unknown, origin?: Origin) => {
        if (this.#receiver) return this.#receiver.message(value, origin);
        this.#held.push((receiver) => receiver.message(value, origin));
        this.#opened({ message: value, origin });
      },
      malformed: (problem) => this.#deliver((receiver) => receiver.malformed(problem)),
      failed: (id, error) => this.#deliver((receiver) => receiver.failed(id, error)),
      ended: () => {
        this.#deliver((receiver) => receiver.ended());
        this.#opened(undefined);
      },
      closed: (error) => {
        this.#deliver((receiver) => receiver.closed(error));
        this.#opened(undefined);
        this.#ended(error);
      },
    });
  }

  start(receiver: Receiver): void {
    this.#receiver = receiver;
    const held = this.#held;
    this.#held = [];
    for (const deliver of held) deliver(receiver);
  }

  send(frame: Frame, relatedTo?: RequestId): Promise<void> | undefined {
    return this.#inner.send(frame, relatedTo);
  }

  close(): void | Promise<void> {
    return this.#inner.close();
  }

  #deliver(delivery: (receiver: Receiver) => void): void {
    if (this.#receiver) delivery(this.#receiver);
    else this.#held.push(delivery);
  }
}
