import { Pulse } from "./pulse.js";

/** A stream that has a connection. */
export interface LiveStream {
  keepAlive(): void;
}

/** All streams that have a connection, for signs of life at an interval. */
export class LiveStreams {
  readonly #streams = new Set<LiveStream>();
  readonly #pulse: Pulse;

  /** @param keepAlive - milliseconds */
  constructor(keepAlive: number) {
    this.#pulse = new Pulse(keepAlive, () => {
      for (const stream of this.#streams) stream.keepAlive();
      return this.#streams.size > 0;
    });
  }

  get size(): number {
    return this.#streams.size;
  }

  add(stream: LiveStream): void {
    this.#streams.add(stream);
    this.#pulse.start();
  }

  delete(stream: LiveStream): void {
    this.#streams.delete(stream);
  }
}
