interface Kept {
  readonly id: string;
  readonly stream: string;
  readonly message: object;
}

/** Stores events for official servers, in the order in which they arrive. */
export class OrderedEventStore {
  readonly #events: Kept[] = [];

  async storeEvent(stream: string, message: object): Promise<string> {
    const id = `${stream}_${this.#events.length}`;
    this.#events.push({ id, stream, message });
    return id;
  }

  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    return this.#events.find((event) => event.id === id)?.stream;
  }

  async replayEventsAfter(
    last: string,
    { send }: { send: (id: string, message: never) => Promise<void> },
  ): Promise<string> {
    const start = this.#events.findIndex(({ id }) => id === last);
    const { stream } = this.#events[start]!;
    for (const event of this.#events.slice(start + 1)) {
      const isEmpty = Object.keys(event.message).length === 0;
      if (event.stream === stream && !isEmpty) await send(event.id, event.message as never);
    }
    return stream;
  }
}
