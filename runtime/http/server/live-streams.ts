import { IntervalTimer } from "./interval-timer.js";

/** A stream that has a connection. */
export interface LiveStream {
  keepAlive(): void;
}

/** All streams that have a connection, for signs of life at an interval. */
export class LiveStreams {
  readonly #streams = new Set<LiveStream>();
  readonly #timer: IntervalTimer;

  /** @param keepAlive - milliseconds */
  constructor(keepAlive: number) {
    this.#timer = new IntervalTimer(keepAlive, () => {
      for (const stream of this.#streams) stream.keepAlive();
      return this.#streams.size > 0;
    });
  }

  get size(): number {
    return this.#streams.size;
  }

  add(stream: LiveStream): void {
    this.#streams.add(stream);
    this.#timer.start();
  }

  delete(stream: LiveStream): void {
    this.#streams.delete(stream);
  }
}
