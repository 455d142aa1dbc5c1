import { LONGEST_DELAY, REQUESTS_OWN_IO } from "../../ground/index.js";

/** Bytes that may be in use at once, over all clients. */
export class ByteBudget {
  readonly #most: number;
  /** Bytes in use. */
  bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  hasRoom(bytes: number): boolean {
    return this.bytes + bytes <= this.#most;
  }

  /** Reserves bytes; false if that exceeds the budget. */
  take(bytes: number): boolean {
    if (this.bytes + bytes > this.#most) return false;
    this.bytes += bytes;
    return true;
  }
}

/**
 * Calls a function at an interval while it returns true, without keeping the process alive.
 * @returns the timer
 */
export function repeat(milliseconds: number, work: () => boolean): ReturnType<typeof setInterval> {
  const timer = setInterval(
    () => {
      if (!work()) clearInterval(timer);
    },
    Math.min(milliseconds, LONGEST_DELAY),
  );
  (timer as { unref?: () => void }).unref?.();
  return timer;
}

/** Calls a function at an interval for as long as there is work, without keeping the process alive. */
export class IntervalTimer {
  readonly #milliseconds: number;
  readonly #tick: () => boolean;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Time of the last call, on the clock of `performance.now()`. */
  #ticked = 0;

  /** @param work - returns whether there is more to do */
  constructor(milliseconds: number, work: () => boolean) {
    this.#milliseconds = milliseconds;
    this.#tick = () => {
      this.#ticked = performance.now();
      const hasMore = work();
      if (!hasMore) this.stop();
      return hasMore;
    };
  }

  /** Starts the timer, unless it runs. */
  start(): void {
    if (this.#timer !== undefined && !this.#isGone()) return;
    this.#ticked = performance.now();
    this.#timer = repeat(this.#milliseconds, this.#tick);
  }

  #isGone(): boolean {
    return REQUESTS_OWN_IO && performance.now() - this.#ticked > 2 * this.#milliseconds;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** A wait for the work in progress to finish. */
export class Drain {
  readonly #waiting = new Set<() => void>();

  /** Resolves when {@link finish} is called, or after the time. */
  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, Math.min(milliseconds, LONGEST_DELAY));
      this.#waiting.add(end);
    });
  }

  finish(): void {
    for (const end of this.#waiting) end();
  }
}

/** Client that reads, at its own pace, what is written to it. */
export interface Reader {
  /** Bytes that were written and not read. */
  readonly waiting: number;
  /** Changes whenever the client reads something. */
  readonly taken: number;
  /** Ends its connection at once. */
  abort(): void;
}

/** Limits of {@link UnreadOutput}; `HttpOptions` documents them. */
export interface UnreadLimits {
  readonly maxWaitingBytes: number;
  readonly maxUnreadBytes: number;
  readonly readerTimeout: number;
}

interface Watched {
  taken: number;
  /** Time since which the client has read nothing, on the clock of `performance.now()`. */
  since: number;
}

/** Waiting bytes of one client above which it is watched. */
export const MUCH: number = 256 * 1024;

/** Output that clients have not read. A client is judged by what it reads over time, not by what is written to it. */
export class UnreadOutput {
  readonly #limits: UnreadLimits;
  readonly #report: (error: Error) => void;
  readonly #watched = new Map<Reader, Watched>();
  readonly #timer: IntervalTimer;

  constructor(limits: UnreadLimits, report: (error: Error) => void) {
    this.#limits = limits;
    this.#report = report;
    const interval = Math.min(Math.max(limits.readerTimeout / 4, 10), 1000);
    this.#timer = new IntervalTimer(interval, () => this.#check());
  }

  /** Bytes that wait for watched clients. */
  get bytes(): number {
    let bytes = 0;
    for (const reader of this.#watched.keys()) bytes += reader.waiting;
    return bytes;
  }

  /** True if the client may be sent another message; if not, it has been dropped. */
  admits(reader: Reader): boolean {
    if (reader.waiting <= this.#limits.maxWaitingBytes) return true;
    this.#drop(reader, "maxWaitingBytes");
    return false;
  }

  /** Watches a client that many bytes wait for, until it has caught up. */
  watch(reader: Reader): void {
    if (reader.waiting <= MUCH) return;
    if (!this.#watched.has(reader)) {
      this.#watched.set(reader, { taken: reader.taken, since: performance.now() });
      if (this.#limits.readerTimeout !== Infinity) this.#timer.start();
    }
    this.#makeRoom();
  }

  /** Drops the clients that have read nothing for longest until the rest is within the limit. */
  #makeRoom(): void {
    let { bytes } = this;
    while (bytes > this.#limits.maxUnreadBytes) {
      const [slowest] = [...this.#watched].reduce((one, other) =>
        other[1].since < one[1].since ? other : one,
      );
      bytes -= slowest.waiting;
      this.#drop(slowest, "maxUnreadBytes");
    }
  }

  #check(): boolean {
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

  #drop(reader: Reader, option: keyof UnreadLimits): void {
    this.#watched.delete(reader);
    const problem = `A client does not read its response: ${reader.waiting} bytes are waiting`;
    this.#report(new Error(`${problem} (${option})`));
    reader.abort();
  }
}

/** A stream that has a connection. */
export interface LiveStream {
  keepAlive(): void;
}

/** All streams of a handler that have a connection; each is kept alive at an interval. */
export class LiveStreams {
  readonly #streams = new Set<LiveStream>();
  readonly #timer: IntervalTimer;
  readonly #interval: number;

  /** @param interval - milliseconds */
  constructor(interval: number) {
    this.#interval = interval;
    this.#timer = new IntervalTimer(interval, () => {
      for (const stream of this.#streams) stream.keepAlive();
      return this.#streams.size > 0;
    });
  }

  get size(): number {
    return this.#streams.size;
  }

  add(stream: LiveStream): void {
    this.#streams.add(stream);
    if (!REQUESTS_OWN_IO) this.#timer.start();
    else repeat(this.#interval, () => this.#keepAlive(stream));
  }

  delete(stream: LiveStream): void {
    this.#streams.delete(stream);
  }

  #keepAlive(stream: LiveStream): boolean {
    const isLive = this.#streams.has(stream);
    if (isLive) stream.keepAlive();
    return isLive;
  }
}
