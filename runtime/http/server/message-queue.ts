interface Waiting {
  readonly text: string;
  readonly isRequest: boolean;
}

/** Messages for a client that has no stream open. Beyond its bound, notifications go first, the oldest first. */
export class MessageQueue {
  readonly #limit: number;
  #messages: Waiting[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#messages.length;
  }

  put(text: string, isRequest: boolean): void {
    this.#messages.push({ text, isRequest });
    if (this.#messages.length <= this.#limit) return;
    const dropped = this.#messages.findIndex((message) => !message.isRequest);
    this.#messages.splice(Math.max(dropped, 0), 1);
  }

  /** Hands out all of them, in order. */
  take(): string[] {
    const messages = this.#messages;
    this.#messages = [];
    return messages.map(({ text }) => text);
  }
}
