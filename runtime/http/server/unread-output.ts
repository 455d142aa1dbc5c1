import { DEFAULTS, type HttpOptions } from "./options.js";
import { IntervalTimer } from "./interval-timer.js";

/** Client that takes in its own time what is written to it. */
export interface Reader {
  /** Bytes that were written and that it has not taken. */
  readonly waiting: number;
  /** Changes whenever it takes something. */
  readonly taken: number;
  /** Ends its connection at once. */
  abort(): void;
}

/** Options that bound it; `HttpOptions` says what they mean. */
export type UnreadOutputOptions = "maxWaitingBytes" | "maxUnreadBytes" | "readerTimeout";

interface Watched {
  taken: number;
  /** Time since when it has taken nothing, on the clock of `performance.now()`. */
  since: number;
}

/** Bytes waiting for a client from which on it is watched. */
export const MUCH: number = 256 * 1024;

/** The output that clients have not taken yet: a client is judged by what it takes over time, not by what is written. */
export class UnreadOutput {
  readonly #limits: Readonly<Record<UnreadOutputOptions, number>>;
  readonly #report: (error: Error) => void;
  readonly #watched = new Map<Reader, Watched>();
  readonly #timer: IntervalTimer;

  constructor(options: HttpOptions, report: (error: Error) => void) {
    const {
      maxWaitingBytes = DEFAULTS.maxWaitingBytes,
      maxUnreadBytes = DEFAULTS.maxUnreadBytes,
      readerTimeout = DEFAULTS.readerTimeout,
    } = options;
    this.#limits = { maxWaitingBytes, maxUnreadBytes, readerTimeout };
    this.#report = report;
    const interval = Math.min(Math.max(readerTimeout / 4, 10), 1000);
    this.#timer = new IntervalTimer(interval, () => this.#look());
  }

  /** Bytes that wait for clients who are being watched. */
  get bytes(): number {
    let bytes = 0;
    for (const reader of this.#watched.keys()) bytes += reader.waiting;
    return bytes;
  }

  /** True for a client that may be sent another message; one that may not has been dropped. */
  admits(reader: Reader): boolean {
    if (reader.waiting <= this.#limits.maxWaitingBytes) return true;
    this.#drop(reader, "maxWaitingBytes");
    return false;
  }

  /** Watches a client for whom much is waiting, until it has caught up. */
  watch(reader: Reader): void {
    if (reader.waiting <= MUCH) return;
    if (!this.#watched.has(reader)) {
      this.#watched.set(reader, { taken: reader.taken, since: performance.now() });
      if (this.#limits.readerTimeout !== Infinity) this.#timer.start();
    }
    this.#makeRoom();
  }

  #makeRoom(): void {
    let { bytes } = this;
    while (bytes > this.#limits.maxUnreadBytes) {
      const slowest = this.#slowest();
      bytes -= slowest.waiting;
      this.#drop(slowest, "maxUnreadBytes");
    }
  }

  /** The one that has taken nothing for longest. */
  #slowest(): Reader {
    let slowest: [Reader, Watched] | undefined;
    for (const entry of this.#watched) {
      if (slowest === undefined || entry[1].since < slowest[1].since) slowest = entry;
    }
    return slowest![0];
  }

  #look(): boolean {
    const now = performance.now();
    for (const [reader, watched] of this.#watched) {
      const { taken } = reader;
      if (reader.waiting <= MUCH) {
        this.#watched.delete(reader);
      } else if (taken !== watched.taken) {
        watched.taken = taken;
        watched.since = now;
      } else if (now - watched.since >= this.#limits.readerTimeout) {
        this.#drop(reader, "readerTimeout");
      }
    }
    return this.#watched.size > 0;
  }

  #drop(reader: Reader, option: UnreadOutputOptions): void {
    this.#watched.delete(reader);
    const problem = `A client does not read its answer: ${reader.waiting} bytes are waiting`;
    this.#report(new Error(`${problem} (${option})`));
    reader.abort();
  }
}
