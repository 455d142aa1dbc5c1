/** Notification for all clients that it concerns, whichever instance they are connected to. */
export interface BusEvent {
  readonly method: string;
  /** Parameters of the notification, as a JSON value. */
  readonly params?: unknown;
  /**
   * Name of the event, the same at all instances that publish it. Required if instances share sessions, so that each
   * session receives the event only once.
   */
  readonly id?: string | undefined;
}

/**
 * Channel for change notifications to all instances of a server. A single process needs none; instances that share a
 * bus also notify each other's clients.
 */
export interface Bus {
  /** Delivers an event to all listeners of all instances, including this one. If that fails, rejects or throws. */
  publish(event: BusEvent): void | Promise<void>;
  /**
   * Subscribes to all events.
   * @param lost - called when events may have been missed, as after an outage
   * @returns a function that ends the subscription
   */
  subscribe(listener: (event: BusEvent) => void, lost?: () => void): () => void;
  /**
   * Returns the events of the last `within` milliseconds, in order, but at most those of the last half minute. A
   * session that no instance held during that time receives them when an instance takes it over. Without this method
   * it misses them.
   */
  recent?(within: number): Promise<readonly BusEvent[]>;
}

/** Bus within one process. It connects all servers to which the same object is passed. */
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
