/** A notification for every client that it concerns, no matter which instance the client is connected to. */
export interface BusEvent {
  readonly method: string;
  /** The notification's parameters, as a JSON value. */
  readonly params?: unknown;
  /**
   * The event's name, identical at all instances that publish it. Required if instances share sessions, so that each
   * session receives the event only once.
   */
  readonly id?: string | undefined;
}

/**
 * A channel that carries change notifications to all instances of a server. A single process does not need one.
 * Instances that share a bus also notify each other's clients.
 */
export interface Bus {
  /** Delivers an event to all listeners at all instances, including this one. Rejects or throws if that fails. */
  publish(event: BusEvent): void | Promise<void>;
  /**
   * Subscribes to all events.
   *
   * @param lost - called when events may have been missed, for example after an outage
   * @returns a function that ends the subscription
   */
  subscribe(listener: (event: BusEvent) => void, lost?: () => void): () => void;
  /**
   * Returns the events of the last `within` milliseconds, in order, going back at most half a minute. A session that
   * was not held by any instance during that time receives them when an instance takes it over. Without this method, it
   * misses them.
   */
  recent?(within: number): Promise<readonly BusEvent[]>;
}

/** A bus within one process. It connects all servers that receive the same object. */
export class MemoryBus implements Bus {
  readonly #listeners = new Set<(event: BusEvent) => void>();
  #published = 0;

  publish(event: BusEvent): void {
    const named: BusEvent = { id: String(this.#published++), ...event };
    for (const listener of this.#listeners) listener(named);
  }

  subscribe(listener: (event: BusEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
