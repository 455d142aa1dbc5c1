/** A notification for all whom it concerns, wherever they are connected. */
export interface BusEvent {
  readonly method: string;
  /** JSON. */
  readonly params?: unknown;
  /** Name of the event, the same at all instances; needed where they share sessions, which hear of it once then. */
  readonly id?: string | undefined;
}

/**
 * Carries notifications of change to all instances of a server. Within one process nothing is needed; several that
 * share a bus tell each other's clients too.
 */
export interface Bus {
  /** Delivers to all listeners of all instances, this one's included; what fails rejects, or throws. */
  publish(event: BusEvent): void | Promise<void>;
  /**
   * @param lost - called when events may have been missed, as after an outage
   * @returns what stops it
   */
  subscribe(listener: (event: BusEvent) => void, lost?: () => void): () => void;
  /**
   * Events of the last milliseconds, half a minute of them at most, in order: a session that was at no instance meanwhile
   * hears of them when it comes to one. Without this method it misses them.
   */
  recent?(within: number): Promise<readonly BusEvent[]>;
}

/** Connects the servers of one process that are given the same one. */
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
